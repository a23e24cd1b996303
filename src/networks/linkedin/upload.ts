import { MINUTE_MS } from '#contract/durations'
import { bareCall, bearer, type Call, type Called } from '../kit/api.ts'
import type { Attempt, MediaSource } from '../network.ts'
import { call, type Parse, parseDocumentUpload, parseImageUpload } from './wire.ts'

/** Longest time for one request with bytes. */
const UPLOAD_MS = 10 * MINUTE_MS
/** Somebody who may not ask how far an image is waits for so long after its upload. */
export const GRACE_MS = 10_000

/** An action of the APIs of images, documents and videos. */
export function act<T>(
  attempt: Attempt,
  at: 'images' | 'documents' | 'videos',
  action: string,
  ask: object,
  parse: Parse<T>,
) {
  const json = { [`${action}Request`]: ask }
  return call(attempt, { method: 'POST', path: `rest/${at}`, query: { action }, json, timeoutMs: 60_000, parse })
}

/**
 * Gives the urn of an image. An upload that was interrupted begins again, under a new urn, and the old one is never seen by anybody.
 * https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/images-api (read 2026-11-21)
 */
export async function uploadImage(
  attempt: Attempt,
  bytes: Pick<Call<string>, 'file' | 'body'>,
): Promise<Called<string>> {
  const ask = { owner: attempt.account.externalId }
  const begun = await act(attempt, 'images', 'initializeUpload', ask, parseImageUpload)
  if (begun.kind !== 'ok') return begun
  const { urn, url } = begun.value
  return put(attempt, url, { ...bytes, parse: () => urn })
}

/**
 * The same of a document.
 * https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/documents-api (read 2026-11-30)
 */
export async function uploadDocument(attempt: Attempt, source: MediaSource): Promise<Called<string>> {
  const ask = { owner: attempt.account.externalId }
  const begun = await act(attempt, 'documents', 'initializeUpload', ask, parseDocumentUpload)
  if (begun.kind !== 'ok') return begun
  const { urn, url } = begun.value
  return put(attempt, url, { file: { source }, parse: () => urn })
}

/** The token goes to hosts of the network alone, wherever an answer says that bytes are to go. */
export function put<T>(attempt: Attempt, path: string, { headers, parse, ...bytes }: Sent<T>): Promise<Called<T>> {
  const { origin, protocol, hostname } = new URL(path)
  const known = ['api', 'web'].map((name) => new URL(attempt.endpoint(name)).origin)
  const isTheirs = known.includes(origin) || (protocol === 'https:' && /(^|\.)linkedin\.com$/.test(hostname))
  return bareCall(attempt, {
    method: 'PUT',
    path,
    headers: { ...headers, ...(isTheirs ? { authorization: bearer(attempt) } : {}) },
    ...bytes,
    timeoutMs: UPLOAD_MS,
    parse: (body, answer) => (answer.status < 300 ? parse(body, answer) : undefined),
  })
}
type Sent<T> = Pick<Call<T>, 'file' | 'body' | 'headers' | 'parse'>
