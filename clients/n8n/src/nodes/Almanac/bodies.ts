import type { IExecuteSingleFunctions, IHttpRequestOptions } from 'n8n-workflow'

/** What is sent with a request, where fields alone cannot say it. Each is called right before the request of an item. */

const listed = (text: string) =>
  text
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '')

/**
 * The posts of a set: one for each account type with the same words and files, or as JSON says.
 */
export async function withPosts(
  this: IExecuteSingleFunctions,
  request: IHttpRequestOptions,
): Promise<IHttpRequestOptions> {
  const json = this.getNodeParameter('postsJson', '') as string | object
  const accountTypes = this.getNodeParameter('accountTypes', []) as string[]
  const caption = this.getNodeParameter('caption', '') as string
  const media = listed(this.getNodeParameter('mediaIds', '') as string).map((mediaLibraryId) => ({ mediaLibraryId }))
  const simple = accountTypes.map((accountType) => ({ accountType, caption, media }))
  const given = typeof json === 'string' ? (json.trim() === '' ? null : JSON.parse(json)) : json
  const posts: unknown = Array.isArray(given) && given.length === 0 ? null : given
  const body = { ...(request.body as object), posts: posts ?? simple }
  return { ...request, body }
}

const BOUNDARY = 'almanac-part'
const quoted = (text: string) => text.replace(/["\r\n]/g, '_')

/** The file of an item's binary field, as a form. */
export async function withFile(
  this: IExecuteSingleFunctions,
  request: IHttpRequestOptions,
): Promise<IHttpRequestOptions> {
  const field = this.getNodeParameter('binaryField') as string
  const { fileName = 'file', mimeType } = this.helpers.assertBinaryData(field)
  const bytes = await this.helpers.getBinaryDataBuffer(field)
  const fields = Object.entries((request.body ?? {}) as Record<string, string>)
  const head = [
    ...fields.map(
      ([name, value]) => `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
    ),
    `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="${quoted(fileName)}"\r\nContent-Type: ${quoted(mimeType)}\r\n\r\n`,
  ].join('')
  const body = Buffer.concat([Buffer.from(head), bytes, Buffer.from(`\r\n--${BOUNDARY}--\r\n`)])
  const headers = { ...request.headers, 'Content-Type': `multipart/form-data; boundary=${BOUNDARY}` }
  return { ...request, body, headers }
}
