import Type, { type Static, type TSchema } from 'typebox'
import { Value } from 'typebox/value'
import type { HttpAnswer } from '../kit/http.ts'

/**
 * What is read of the answers of a server and of the video service. What is not needed is not looked at; an answer
 * that lacks what is needed reads as undefined.
 */
function reader<T extends TSchema>(schema: T): (json: unknown) => Static<T> | undefined {
  return (json) => (Value.Check(schema, json) ? (json as Static<T>) : undefined)
}

/** A file on the server of an account, as records name it. */
export const Blob = Type.Object({
  $type: Type.Literal('blob'),
  ref: Type.Object({ $link: Type.String({ minLength: 1 }) }),
  mimeType: Type.String(),
  size: Type.Integer(),
})
export type Blob = Static<typeof Blob>

export const readSession = reader(
  Type.Object({
    did: Type.String({ pattern: '^did:' }),
    handle: Type.String(),
    accessJwt: Type.String({ minLength: 1 }),
    refreshJwt: Type.String({ minLength: 1 }),
    active: Type.Optional(Type.Boolean()),
    status: Type.Optional(Type.String()),
  }),
)

/** The document of a DID: who the account is, and where it lives. */
export const readDidDocument = reader(
  Type.Object({
    id: Type.String(),
    service: Type.Array(Type.Object({ id: Type.String(), serviceEndpoint: Type.Unknown() })),
  }),
)

export const readUploadedBlob = reader(Type.Object({ blob: Blob }))
export const readWritten = reader(Type.Object({ uri: Type.String(), cid: Type.String() }))
export const readPostRecord = reader(
  Type.Object({ uri: Type.String(), value: Type.Object({ createdAt: Type.String() }) }),
)
export const readProfileRecord = reader(
  Type.Object({ value: Type.Object({ displayName: Type.Optional(Type.String()), avatar: Type.Optional(Blob) }) }),
)
export const readResolved = reader(Type.Object({ did: Type.String({ pattern: '^did:[a-z]+:' }) }))
export const readServer = reader(Type.Object({ did: Type.String({ pattern: '^did:' }) }))
export const readServiceToken = reader(Type.Object({ token: Type.String({ minLength: 1 }) }))

const UploadLimits = Type.Object({
  canUpload: Type.Boolean(),
  remainingDailyVideos: Type.Optional(Type.Integer()),
  remainingDailyBytes: Type.Optional(Type.Integer()),
  message: Type.Optional(Type.String()),
  error: Type.Optional(Type.String()),
})
export type UploadLimits = Static<typeof UploadLimits>
/** What the video service still takes of an account today (`app.bsky.video.getUploadLimits`). */
export const readUploadLimits = reader(UploadLimits)

const Job = Type.Object({
  jobId: Type.String({ minLength: 1 }),
  state: Type.Optional(Type.String()),
  blob: Type.Optional(Blob),
  error: Type.Optional(Type.String()),
  failureCode: Type.Optional(Type.String()),
  message: Type.Optional(Type.String()),
})
export type VideoJob = Static<typeof Job>
const readWrappedJob = reader(Type.Object({ jobStatus: Job }))
const readBareJob = reader(Job)

/** A job of the video service, which stands in `jobStatus` or, with some errors, in the answer itself. */
export function readVideoJob(json: unknown): VideoJob | undefined {
  return readWrappedJob(json)?.jobStatus ?? readBareJob(json)
}

const readFailure = reader(Type.Object({ error: Type.String({ minLength: 1 }), message: Type.Optional(Type.String()) }))

export interface BlueskyError {
  status: number
  /** Name of the error; null when the answer is not one of this protocol. */
  name: string | null
  message: string
  headers: Readonly<Record<string, string>>
}

export function parseError(answer: HttpAnswer): BlueskyError {
  const { status, headers } = answer
  const failure = readFailure(answer.json)
  return { status, headers, name: failure?.error ?? null, message: failure?.message ?? '' }
}

/** When a token ends by its own words; null when it does not tell. The signature is the server's business. */
export function readExpiry(jwt: string): Date | null {
  try {
    const claims: unknown = JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString())
    const exp = readClaims(claims)?.exp
    return exp === undefined ? null : new Date(exp * 1000)
  } catch {
    return null
  }
}
const readClaims = reader(Type.Object({ exp: Type.Number() }))
