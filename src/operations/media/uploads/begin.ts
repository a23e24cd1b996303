import {
  bodyProblem,
  checkShape,
  checkTexts,
  cleanName,
  type ErrorCode,
  LIMITS,
  MediaUploadFields,
  type ProblemEntry,
  ProblemError,
} from '#contract'
import { newId } from '#domain'
import { type PlanRefusal, type PlanRoom, roomToReserve } from '#importing'
import { formatBytes } from '#media'
import {
  countOpenOrReceiving,
  type Database,
  insertDirectUpload,
  inTransaction,
  type MediaUploadRow,
  type SocialSetPlace,
} from '#persistence'
import { placeNamed } from '../../asked.ts'
import { type Caller, requireRight } from '../../caller.ts'
import type { OperationDeps } from '../../deps.ts'
import { requireSocialSet } from '../../social-sets/require.ts'
import { checkMediaName } from './check-media-name.ts'

type Deps = Pick<OperationDeps, 'db' | 'store'>

/** What a client says of a file, as it came. */
type UploadFields = Readonly<Record<string, unknown>>

/** An upload that is to be received. */
interface UploadToBegin {
  /** `socialSetId`, `name` and `altText`, as they came. */
  fields: UploadFields
  /** What is wrong when a field is. */
  fieldCode: 'request:invalid_body' | 'request:invalid_header'
  /** Null when it is known at the end only. */
  bytesTotal: number | null
  /** What the file has at least. */
  leastBytes: number
  /** What the client calls the file, for one that is given no name. */
  fileName: string | null
  /** The request that sends the bytes; null: another one will. */
  owner: string | null
}

/**
 * Creates the row of an upload whose bytes the client sends, and reserves its length from the month's allowance.
 *
 * @throws ProblemError in this order: `auth:insufficient_scope`, `request:too_large`, `social-set:not_found`, what is wrong with
 *   a field, `plan:upload_allowance_exceeded`, `plan:storage_exceeded`, `api-key:budget_exceeded`,
 *   `media-upload:too_many_open`, `service:unavailable`
 */
export async function beginUpload(
  { db, store }: Deps,
  caller: Caller,
  upload: UploadToBegin,
): Promise<{ row: MediaUploadRow; room: PlanRoom }> {
  requireRight(caller, 'media:write')
  const { accountId, plan, actor: by } = caller
  const { leastBytes } = upload
  if (leastBytes > LIMITS.mediaBytes) throw fileTooLarge(leastBytes)
  const { name, altText, socialSetId } = await readFields(db, caller, upload)
  const free = await store.room()
  return inTransaction(db, async (trx) => {
    const room = await roomToReserve(trx, plan, { accountId, begunBy: by.id })
    if (room.refusal && (leastBytes > room.bytes || room.bytes <= 0)) throw planProblem(room.refusal)
    refuseTooMany(await countOpenOrReceiving(trx, { accountId, socialSetId, by: by.id }))
    if (free < Math.max(leastBytes, 1)) throw diskFull()
    const row = await insertDirectUpload(trx, {
      id: newId(),
      accountId,
      socialSetId,
      name,
      altText,
      bytesTotal: upload.bytesTotal,
      reservedBytes: leastBytes,
      owner: upload.owner,
      by,
    })
    return { row, room }
  })
}

/**
 * Requires that the social set of an upload exists, before anything else of the request is checked. Null if none is
 * named.
 *
 * @throws ProblemError `social-set:not_found`
 */
export async function requireUploadPlace(
  db: Database,
  caller: Caller,
  fields: UploadFields,
): Promise<SocialSetPlace | null> {
  return placeNamed(db, caller, { peek: () => fields })
}

async function readFields(db: Database, caller: Caller, { fields, fieldCode, fileName }: UploadToBegin) {
  const known = await requireUploadPlace(db, caller, fields)
  const checked = checkShape(MediaUploadFields, fields)
  const entries = [
    ...(checked.ok ? [] : checked.entries),
    ...checkTexts(fields),
    ...(checked.ok ? checkMediaName(checked.value.name) : []),
  ]
  if (!checked.ok || entries.length > 0) throw fieldProblem(entries, fieldCode)
  const { name, altText = null } = checked.value
  const socialSet = known ?? (await requireSocialSet(db, caller, checked.value.socialSetId))
  return { socialSetId: socialSet.id, name: name?.trim() ?? nameOfFile(fileName), altText }
}

/** The same words whether the fields came in a body or in a header; only the code says where. */
function fieldProblem(entries: readonly ProblemEntry[], code: UploadToBegin['fieldCode']): ProblemError {
  const problem = bodyProblem(entries)
  if (code === 'request:invalid_body') return problem
  return new ProblemError(code, `Upload-Metadata: ${problem.message}`, {
    entries: problem.entries.map((entry) => ({ ...entry, code })),
  })
}

/** The last part of what may be a path, of any system. Null when nothing of it can be a name. */
function nameOfFile(fileName: string | null): string | null {
  return cleanName(fileName?.split(/[/\\]/).findLast((part) => part !== '') ?? '') || null
}

export function fileTooLarge(bytes: number | null): ProblemError {
  const size = bytes === null ? 'larger than' : `${formatBytes(bytes)}; the limit is`
  return new ProblemError(
    'request:too_large',
    `The file is ${size} ${formatBytes(LIMITS.mediaBytes)}. Use a smaller one.`,
  )
}

const PLAN_CODES: Partial<Record<PlanRefusal['code'], ErrorCode>> = {
  'media-upload:allowance_exceeded': 'plan:upload_allowance_exceeded',
  'media-upload:budget_exceeded': 'api-key:budget_exceeded',
  'media-upload:storage_exceeded': 'plan:storage_exceeded',
}

export function planProblem({ code, message }: PlanRefusal): ProblemError {
  return new ProblemError(PLAN_CODES[code] ?? 'plan:storage_exceeded', message)
}

export function diskFull(): ProblemError {
  return new ProblemError('service:unavailable', 'The disk has no room for the file at the moment. Try again later.', {
    headers: { 'retry-after': '60' },
  })
}

/** No one closes a social set for others: a full one still has room for a few of each. */
function refuseTooMany({ all, own }: { all: number; own: number }): void {
  const { each, perSocialSet, eachOfFull, idleMinutes } = LIMITS.openUploads
  const isFull = all >= perSocialSet
  if (own < (isFull ? eachOfFull : each)) return
  const many = isFull ? `${perSocialSet} uploads of this social set are open; meanwhile you` : 'You'
  throw new ProblemError(
    'media-upload:too_many_open',
    `${many} may have ${isFull ? eachOfFull : each} open at once in it. Send the bytes of one to its end, end one in the library, or wait: one whose last byte is ${idleMinutes} minutes ago makes room.`,
    { headers: { 'retry-after': '1' } },
  )
}
