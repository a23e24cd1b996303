import { type ClientRequest, type IncomingHttpHeaders, request } from 'node:http'
import type { Body } from './api.ts'

/** Sends what the tus protocol has, byte by byte as a test wants it: `fetch` decides too much by itself. */
export interface TusAnswer {
  status: number
  headers: IncomingHttpHeaders
  /** A problem, or empty. */
  body: Body
}

export interface TusClient {
  /** `POST`; metadata as plain texts. */
  begin(metadata: Record<string, string>, length: number, headers?: Record<string, string>): Promise<TusAnswer>
  /** An upload that must be made: its path and id. */
  begun(metadata: Record<string, string>, length: number): Promise<{ path: string; id: string }>
  offset(path: string, headers?: Record<string, string>): Promise<TusAnswer>
  send(path: string, offset: number, bytes: Uint8Array, headers?: Record<string, string>): Promise<TusAnswer>
  /** Begins to send and leaves the rest to the test. */
  open(
    path: string,
    offset: number,
    headers?: Record<string, string>,
  ): { request: ClientRequest; answer: Promise<TusAnswer> }
  ask(method: string, path: string, headers?: Record<string, string>, body?: Uint8Array): Promise<TusAnswer>
}

export const metadataOf = (fields: Record<string, string>) =>
  Object.entries(fields)
    .map(([name, value]) => `${name} ${Buffer.from(value).toString('base64')}`)
    .join(',')

/** @param credential headers of each request: a key, or the cookie of a member */
export function tusClient(origin: string, credential: Record<string, string>, room = 'v1'): TusClient {
  const base = `/${room}/media-upload/files`

  function start(method: string, path: string, headers: Record<string, string>) {
    const url = new URL(path, origin)
    const sent = request(url, {
      method,
      headers: { 'tus-resumable': '1.0.0', ...credential, ...headers },
      agent: false,
    })
    const answer = new Promise<TusAnswer>((resolve, reject) => {
      sent.on('error', reject)
      sent.on('response', async (response) => {
        let text = ''
        try {
          for await (const piece of response) text += piece
        } catch (error) {
          reject(error)
        }
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: text === '' ? '' : JSON.parse(text),
        })
      })
    })
    return { request: sent, answer }
  }

  const client: TusClient = {
    ask(method, path, headers = {}, body) {
      const { request: sent, answer } = start(method, path, {
        ...(body ? { 'content-length': String(body.length) } : {}),
        ...headers,
      })
      sent.end(body)
      return answer
    },
    begin: (metadata, length, headers = {}) =>
      client.ask('POST', base, {
        'upload-length': String(length),
        'upload-metadata': metadataOf(metadata),
        ...headers,
      }),
    async begun(metadata, length) {
      const { status, headers, body } = await client.begin(metadata, length)
      if (status !== 201) throw new Error(`The upload was not begun: ${status} ${JSON.stringify(body)}`)
      const { pathname } = new URL(headers.location ?? '')
      return { path: pathname, id: pathname.split('/').at(-1) ?? '' }
    },
    offset: (path, headers = {}) => client.ask('HEAD', path, headers),
    send: (path, offset, bytes, headers = {}) =>
      client.ask(
        'PATCH',
        path,
        { 'upload-offset': String(offset), 'content-type': 'application/offset+octet-stream', ...headers },
        bytes,
      ),
    open: (path, offset, headers = {}) =>
      start('PATCH', path, {
        'upload-offset': String(offset),
        'content-type': 'application/offset+octet-stream',
        ...headers,
      }),
  }
  return client
}
