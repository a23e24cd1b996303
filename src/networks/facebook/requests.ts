import { randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { Attempt } from '../network.ts'
import { type Called, call } from '../toolkit/graph.ts'
import type { Http } from '../toolkit/http.ts'

/** Longest time for the bytes of one request. */
const UPLOAD_MS = 9 * 60_000

/** `POST` to the Graph API with a file, as `multipart/form-data`: what JSON cannot carry. */
export function sendForm<T>(
  attempt: Attempt,
  form: {
    path: string
    fields: Readonly<Record<string, string>>
    file: { field: string; name: string; mimeType: string; bytes: Buffer }
    parse(body: unknown): T | undefined
  },
): Promise<Called<T>> {
  const boundary = `almanac-${randomUUID()}`
  const { field, name, mimeType, bytes } = form.file
  const texts = Object.entries(form.fields).map(
    ([key, value]) => `--${boundary}\r\ncontent-disposition: form-data; name="${key}"\r\n\r\n${value}\r\n`,
  )
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="${field}"; filename="${name}"\r\ncontent-type: ${mimeType}\r\n\r\n`
  const body = Buffer.concat([
    Buffer.from(texts.join('') + head, 'utf8'),
    bytes,
    Buffer.from(`\r\n--${boundary}--\r\n`, 'utf8'),
  ])
  const headers = { 'content-type': `multipart/form-data; boundary=${boundary}`, 'content-length': String(body.length) }
  const http = withBody(attempt.http, headers, body)
  return call({ ...pick(attempt), http }, { method: 'POST', path: form.path, timeoutMs: UPLOAD_MS, parse: form.parse })
}

/**
 * Sends the rest of a video, from `offset` on, to the host that takes them. Its address is made by us: what an answer
 * names is never called. `Authorization: OAuth` as on
 * https://developers.facebook.com/documentation/video-api/guides/reels-publishing (read 2026-11-21).
 */
export function sendVideo<T>(
  attempt: Attempt,
  video: { id: string; offset: number; bytes: number; body: Readable; parse(body: unknown): T | undefined },
): Promise<Called<T>> {
  const headers = {
    authorization: `OAuth ${attempt.credentials.accessToken ?? ''}`,
    offset: String(video.offset),
    file_size: String(video.bytes),
    'content-type': 'application/octet-stream',
    'content-length': String(video.bytes - video.offset),
  }
  const http = withBody(attempt.http, headers, video.body)
  const endpoint = () => `${attempt.endpoint('rupload')}/video-upload`
  return call(
    { ...pick(attempt), http, endpoint },
    { method: 'POST', path: video.id, timeoutMs: UPLOAD_MS, parse: video.parse },
  )
}

const withBody =
  (http: Http, headers: Readonly<Record<string, string>>, body: Buffer | Readable): Http =>
  (request) =>
    http({ ...request, headers: { ...request.headers, ...headers }, body })

function pick({ endpoint, setting, signal, credentials }: Attempt) {
  return { endpoint, setting, signal, credentials }
}
