import { isWritable, ProblemError, readOnlyWords } from '#contract'
import { isId } from '#domain'
import { type DatabaseTransaction, findPostSet, lockPostSetRow, type PostSetRow, type Visible } from '#persistence'
import type { Seen } from '../asked.ts'
import type { Caller } from '../caller.ts'
import { postSetNotFound } from './get.ts'

/**
 * A post set whose row stays locked until the transaction ends.
 *
 * @throws ProblemError `post-set:not_found`
 */
export async function holdPostSet(trx: DatabaseTransaction, visible: Visible, id: string): Promise<PostSetRow> {
  if (!isId(id) || !(await lockPostSetRow(trx, visible, id))) throw postSetNotFound()
  const current = await findPostSet(trx, visible, id)
  if (!current) throw new Error('A post set whose row is held is not there.')
  return current
}

/** What a request says of the set that it wants to change. */
interface ChangeRequest {
  /** Null: the version does not matter. */
  seen: Seen
  /** The request parks the set as a draft and says nothing else: a lock allows that. */
  parks: boolean
}

/**
 * Requires that a set may be changed now. A lock applies to members too: a member who may remove it does that first.
 *
 * @throws ProblemError `post-set:read_only`, `post-set:locked`, `post-set:version_conflict`, in this order
 */
export function requireChangeable(current: PostSetRow, caller: Caller, { seen, parks }: ChangeRequest): void {
  requireWritable(current)
  if (current.isLocked && !parks) {
    throw new ProblemError(
      'post-set:locked',
      caller.member
        ? `The post set was locked by ${current.lockedBy}. It can be changed when it is unlocked.`
        : 'The post set is locked in the product. It can only be parked: send status DRAFT and nothing else.',
    )
  }
  requireVersion(current, seen)
}

/** @throws ProblemError `post-set:read_only` for a set that is publishing or published */
export function requireWritable({ status }: PostSetRow): void {
  if (isWritable(status)) return
  throw new ProblemError('post-set:read_only', `The post set ${readOnlyWords(status)} and cannot be changed any more.`)
}

/**
 * @param seen null: the version does not matter
 * @throws ProblemError `post-set:version_conflict`
 */
export function requireVersion({ version }: PostSetRow, seen: Seen): void {
  if (seen === null || hasSeen(seen, version)) return
  const message = `The post set has changed: its version is ${version}. Read it again, then send the change.`
  throw new ProblemError('post-set:version_conflict', message)
}

/** The entity tag of a version (RFC 9110, 8.8.3). */
export function etagOf({ version }: { version: number }): string {
  return `"${version}"`
}

export const hasSeen = (seen: NonNullable<Seen>, version: number): boolean => seen === 'any' || seen.includes(version)
