import { cidForLex } from '@atproto/lex-cbor'
import { type JsonValue, jsonToLex } from '@atproto/lex-json'
import Type, { type Static } from 'typebox'
import { Value } from 'typebox/value'
import { apiClient, type Call, type Called, type Caller } from '../kit/api.ts'
import { may, need, number, parseJson, reader, record, string } from '../kit/read-json.ts'

const client = apiClient({
  base: () => '',
  headers: ({ credentials: { token } }): Record<string, string> => (token ? { authorization: `Bearer ${token}` } : {}),
  isOk: ({ status }) => status === 200,
})

interface XrpcCall<T> extends Omit<Call<T>, 'path' | 'method'> {
  /** Default: the server of the account. */
  host?: string
  token?: string | undefined
  /** Default: what the request brings decides. */
  method?: 'POST'
}

/**
 * A call of XRPC (https://atproto.com/specs/xrpc, read 2026-11-21). Each goes to a host of its own with a secret of its
 * own: a token is sent nowhere by itself.
 */
export function call<T>(
  caller: Omit<Caller, 'credentials'> & Partial<Pick<Caller, 'credentials'>>,
  lexicon: string,
  { host = caller.endpoint('pds'), token = '', method, ...request }: XrpcCall<T>,
): Promise<Called<T>> {
  const sends = method === 'POST' || 'json' in request || 'body' in request || 'file' in request
  const by = { ...caller, credentials: { ...caller.credentials, token } }
  return client(by, { ...request, method: sends ? 'POST' : 'GET', path: `${host}/xrpc/${lexicon}` })
}

/** A file on the server of an account, as records name it. */
export const Blob = Type.Object({
  $type: Type.Literal('blob'),
  ref: Type.Object({ $link: Type.String({ minLength: 1 }) }),
  mimeType: Type.String(),
  size: Type.Integer(),
})
export type Blob = Static<typeof Blob>

const blob = (value: unknown) => (Value.Check(Blob, value) ? value : undefined)
const flag = (value: unknown) => (typeof value === 'boolean' ? value : undefined)
const did = (value: unknown) => (/^did:[a-z]+:./.test(string(value) ?? '') ? string(value) : undefined)

export const readSession = reader({
  did: need('did', did),
  handle: need('handle', string),
  accessJwt: need('accessJwt', string),
  refreshJwt: need('refreshJwt', string),
  active: may('active', flag),
  status: may('status', string),
})
/** Of a handle, and of a server. */
export const readDid = reader({ did: need('did', did) })
export const readUploaded = reader({ blob: need('blob', blob) })
export const readPost = reader({ uri: need('uri', string), createdAt: need('value.createdAt', string) })
/** What several writes in one commit have made (`com.atproto.repo.applyWrites`). */
export const readWritten = reader({
  uris: need('results', (value) => (Array.isArray(value) ? value.map((each) => record(each)?.uri) : undefined)),
})

/**
 * The id that a server will give to a record: a CIDv1 of its DAG-CBOR (https://atproto.com/specs/data-model, read 2026-11-30).
 *
 * @param value as JSON; what is undefined is left out of it
 */
export async function cidOfRecord(value: object): Promise<string> {
  return String(await cidForLex(jsonToLex(JSON.parse(JSON.stringify(value)) as JsonValue)))
}

export const readProfile = reader({ name: may('value.displayName', string), avatar: may('value.avatar', blob) })
export const readServiceToken = reader({ token: need('token', string) })
/** What the video service still takes of an account today (`app.bsky.video.getUploadLimits`). */
export const readUploadLimits = reader({
  canUpload: need('canUpload', flag),
  videos: may('remainingDailyVideos', number),
  bytes: may('remainingDailyBytes', number),
  message: may('message', string, ''),
  error: may('error', string),
})

const Job = Type.Object({
  jobId: Type.String({ minLength: 1 }),
  state: Type.Optional(Type.String()),
  blob: Type.Optional(Blob),
  error: Type.Optional(Type.String()),
  failureCode: Type.Optional(Type.String()),
  message: Type.Optional(Type.String()),
})
export type VideoJob = Static<typeof Job>

/** A job of the video service, which is in `jobStatus` or, with some errors, in the answer itself. */
export const readVideoJob = (json: unknown): VideoJob | undefined =>
  [record(json)?.jobStatus, json].find((value) => Value.Check(Job, value))

/** When a token ends by its own words; null when it does not say. The signature is the server's business. */
export function readExpiry(jwt: string): Date | null {
  const claims = record(parseJson(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString()))
  return typeof claims?.exp === 'number' ? new Date(claims.exp * 1000) : null
}
