import type { IncomingMessage } from 'node:http'

/** A form, as a sign-in sends it. Anyone may send one. */
const MAX_FORM_BYTES = 64 * 1024
/** A body of JSON without a file in it. */
const MAX_JSON_BYTES = 256 * 1024

/** A request of the simulator's client that is larger than the network takes. */
export class TooLargeError extends Error {
  override name = 'TooLargeError'
}

/** The bytes of a request. One that is too large can still be answered: the rest is thrown away as it comes. @throws TooLargeError */
export async function readBytes(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    bytes += (chunk as Buffer).length
    if (bytes > maxBytes) throw new TooLargeError()
    chunks.push(chunk as Buffer)
  }
  return Buffer.concat(chunks)
}

/** The body as JSON; undefined when it is none. @throws TooLargeError */
export async function readJson(request: IncomingMessage, maxBytes = MAX_JSON_BYTES): Promise<unknown> {
  try {
    return JSON.parse((await readBytes(request, maxBytes)).toString('utf8'))
  } catch (error) {
    if (error instanceof TooLargeError) throw error
    return undefined
  }
}

/** `application/x-www-form-urlencoded`, of a repeated name the last. @throws TooLargeError */
export async function readForm(request: IncomingMessage, maxBytes = MAX_FORM_BYTES): Promise<Record<string, string>> {
  return Object.fromEntries(new URLSearchParams((await readBytes(request, maxBytes)).toString('utf8')))
}

/** `multipart/form-data`; null when the body is none. Files are `File`s. @throws TooLargeError */
export async function readMultipart(request: IncomingMessage, maxBytes: number): Promise<FormData | null> {
  const bytes = await readBytes(request, maxBytes)
  const type = request.headers['content-type'] ?? ''
  if (!type.startsWith('multipart/form-data')) return null
  try {
    return await new Response(new Uint8Array(bytes), { headers: { 'content-type': type } }).formData()
  } catch {
    return null
  }
}
