import {
  type ApiKeyBody,
  type ApiKeyConfirmBody,
  type ApiKeyUpdateBody,
  type AskedBody,
  type CreatedApiKey,
  ProblemError,
} from '#contract'
import { isId } from '#domain'
import { type DatabaseTransaction, findApiKey } from '#persistence'
import { type Caller, maySee, requireMember, requireRight } from '../caller.ts'
import { type ConfirmDeps, confirmPassword } from '../members/confirm-password.ts'
import { requireStillMay } from '../members/lock-team.ts'
import { Refusal } from '../refusal.ts'
import { refused } from '../refused.ts'
import { createKey } from './create.ts'
import { disableKey } from './disable.ts'
import { enableKey } from './enable.ts'
import { requireReviewers } from './reviewers.ts'
import { revokeKey } from './revoke.ts'
import { rotateKey } from './rotate.ts'
import { updateKey } from './update.ts'
import { seesKey } from './visible.ts'

/**
 * Creates an API key for a member, as `createKey` does; the key records its creator.
 *
 * @throws Refusal also for social sets that the member does not see
 * @throws ProblemError `auth:insufficient_role`, `request:invalid_query`, `request:invalid_body`, what `confirmPassword` throws,
 *   `api-key:limit_reached`, `plan:approvals_not_available`
 */
export async function createKeyByMember(
  deps: ConfirmDeps,
  caller: Caller,
  body: AskedBody<ApiKeyBody>,
): Promise<CreatedApiKey> {
  requireRight(caller, 'api-keys:manage')
  const { password, ...input } = body.read()
  await confirmPassword(deps, caller, password)
  requireWithin(caller, input.socialSetIds)
  requireReviewers(caller.plan, input.agent)
  const { userId } = requireMember(caller)
  // A member who is removed while this waits must not leave a key behind.
  const stillMay = (trx: DatabaseTransaction) => requireStillMay(trx, caller, 'api-keys:manage')
  return createKey(deps, { ...input, accountId: caller.accountId, createdBy: { userId, stillMay } })
}

/**
 * Changes a key for a member, as `updateKey` does.
 *
 * @throws Refusal also for social sets that the member does not see
 * @throws ProblemError `auth:insufficient_role`, `request:invalid_query`, `request:invalid_body`, what `confirmPassword` throws,
 *   `api-key:not_found`, `api-key:limit_reached`, `plan:approvals_not_available`
 */
export async function updateKeyByMember(
  deps: ConfirmDeps,
  caller: Caller,
  id: string,
  body: AskedBody<ApiKeyUpdateBody>,
): Promise<void> {
  requireRight(caller, 'api-keys:manage')
  const { password, ...input } = body.read()
  await confirmPassword(deps, caller, password)
  await requireKey(deps, caller, id)
  if (input.socialSetIds !== undefined) requireWithin(caller, input.socialSetIds)
  requireReviewers(caller.plan, input.agent)
  await updateKey(deps, id, input)
}

/** Of what is done to a key as a whole: `disableKey`, `enableKey` and `revokeKey` for a member. */
const byMember =
  (work: (deps: ConfirmDeps, id: string, by: string) => Promise<void>) =>
  async (deps: ConfirmDeps, caller: Caller, id: string, body: AskedBody<ApiKeyConfirmBody>): Promise<void> => {
    requireRight(caller, 'api-keys:manage')
    await confirmPassword(deps, caller, body.read().password)
    await requireKey(deps, caller, id)
    await work(deps, id, caller.actor.name)
  }

/**
 * Disables a key for a member.
 *
 * @throws Refusal
 * @throws ProblemError `auth:insufficient_role`, `request:invalid_query`, `request:invalid_body`, what `confirmPassword` throws,
 *   `api-key:not_found`
 */
export const disableKeyByMember = byMember(disableKey)

/**
 * Enables a key for a member.
 *
 * @throws Refusal
 * @throws ProblemError as `disableKeyByMember`, and `api-key:limit_reached`
 */
export const enableKeyByMember = byMember(enableKey)

/**
 * Revokes a key for a member.
 *
 * @throws Refusal
 * @throws ProblemError as `disableKeyByMember`
 */
export const revokeKeyByMember = byMember(revokeKey)

/**
 * Replaces a key for a member, as `rotateKey` does.
 *
 * @throws Refusal
 * @throws ProblemError as `enableKeyByMember`
 */
export async function rotateKeyByMember(
  deps: ConfirmDeps,
  caller: Caller,
  id: string,
  body: AskedBody<ApiKeyConfirmBody>,
): Promise<CreatedApiKey> {
  requireRight(caller, 'api-keys:manage')
  await confirmPassword(deps, caller, body.read().password)
  await requireKey(deps, caller, id)
  const { userId } = requireMember(caller)
  return rotateKey(deps, id, { userId, stillMay: (trx) => requireStillMay(trx, caller, 'api-keys:manage') })
}

/** A key never changes its account, so checking without a lock is enough. */
export async function requireKey({ db }: Pick<ConfirmDeps, 'db'>, caller: Caller, id: string): Promise<void> {
  const key = isId(id) ? await findApiKey(db, id) : null
  if (key?.accountId === caller.accountId && seesKey(caller, key)) return
  throw new ProblemError('api-key:not_found', 'There is no such API key.')
}

/** A member who sees some social sets makes keys for these, or some of them. */
function requireWithin(caller: Caller, socialSetIds: readonly string[] | null): void {
  if (caller.socialSetIds === null) return
  if (socialSetIds === null) {
    throw refused('why:key_of_all_brands')
  }
  const outside = socialSetIds.find((id) => !maySee(caller, id.toLowerCase()))
  if (outside !== undefined) throw new Refusal(`The account has no social set ${outside}.`)
}
