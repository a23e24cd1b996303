import { ProblemError } from '#contract'
import { isId } from '#domain'
import type { Identity } from '#identity'
import { type Database, findApiKey, findMemberPasswordHash } from '#persistence'
import { Refusal } from '../refusal.ts'
import { type CreateKeyInput, createKey } from './create.ts'
import { disableKey } from './disable.ts'
import { enableKey } from './enable.ts'
import { revokeKey } from './revoke.ts'
import { type UpdateKeyInput, updateKey } from './update.ts'

export interface MemberKeyDeps {
  db: Database
  identity: Pick<Identity, 'verifyPassword'>
}

/** A member of an account, who confirms with the password what is done to the account's keys. */
export interface ConfirmingMember {
  accountId: string
  userId: string
  password: string
}

/**
 * Makes an API key for a member, as `createKey` does; the key remembers who made it.
 *
 * @throws Refusal
 * @throws ProblemError `auth:password_confirmation_failed`, `api-key:limit_reached`
 */
export async function createKeyByMember(
  deps: MemberKeyDeps,
  member: ConfirmingMember,
  input: Omit<CreateKeyInput, 'accountId' | 'createdBy'>,
): Promise<{ id: string; key: string }> {
  await confirm(deps, member)
  return createKey(deps, { ...input, accountId: member.accountId, createdBy: member.userId })
}

/**
 * Changes a key for a member, as `updateKey` does.
 *
 * @throws Refusal also for a key of another account
 * @throws ProblemError `auth:password_confirmation_failed`
 */
export async function updateKeyByMember(
  deps: MemberKeyDeps,
  member: ConfirmingMember,
  id: string,
  input: UpdateKeyInput,
): Promise<void> {
  await confirmFor(deps, member, id)
  await updateKey(deps, id, input)
}

/**
 * Disables a key for a member, as `disableKey` does.
 *
 * @throws Refusal also for a key of another account
 * @throws ProblemError `auth:password_confirmation_failed`
 */
export async function disableKeyByMember(deps: MemberKeyDeps, member: ConfirmingMember, id: string): Promise<void> {
  await confirmFor(deps, member, id)
  await disableKey(deps, id)
}

/**
 * Enables a key for a member, as `enableKey` does.
 *
 * @throws Refusal also for a key of another account
 * @throws ProblemError `auth:password_confirmation_failed`, `api-key:limit_reached`
 */
export async function enableKeyByMember(deps: MemberKeyDeps, member: ConfirmingMember, id: string): Promise<void> {
  await confirmFor(deps, member, id)
  await enableKey(deps, id)
}

/**
 * Revokes a key for a member, as `revokeKey` does.
 *
 * @throws Refusal also for a key of another account
 * @throws ProblemError `auth:password_confirmation_failed`
 */
export async function revokeKeyByMember(deps: MemberKeyDeps, member: ConfirmingMember, id: string): Promise<void> {
  await confirmFor(deps, member, id)
  await revokeKey(deps, id)
}

/** The password is confirmed before what is there is told. A key stays with its account, so this look is enough. */
async function confirmFor(deps: MemberKeyDeps, member: ConfirmingMember, id: string): Promise<void> {
  await confirm(deps, member)
  const key = isId(id) ? await findApiKey(deps.db, id) : null
  if (key?.accountId !== member.accountId) throw new Refusal(`There is no key ${id}.`)
}

/** Takes tens of milliseconds by design: no transaction and no lock waits for it. */
async function confirm({ db, identity }: MemberKeyDeps, { password, ...member }: ConfirmingMember): Promise<void> {
  const known = isId(member.accountId) && isId(member.userId)
  const hash = known ? await findMemberPasswordHash(db, member) : null
  if (hash !== null && (await identity.verifyPassword({ hash, password }))) return
  throw new ProblemError('auth:password_confirmation_failed', 'The password is not that of a member of the account.')
}
