import { type AskedBody, type AskedQuery, LIMITS, ProblemError, type Webhook } from '#contract'
import { isId } from '#domain'
import {
  countOpenWebhooks,
  type Database,
  type DatabaseTransaction,
  findAccount,
  findWebhook,
  type WebhookRow,
  type WebhookViewer,
} from '#persistence'
import { type Caller, requireRight } from '../caller.ts'
import type { OperationDeps } from '../deps.ts'
import { type ConfirmDeps, confirmPassword } from '../members/confirm-password.ts'
import { requireStillMay } from '../members/lock-team.ts'

const RIGHT = 'webhooks:write'

export type WebhookDeps = Pick<OperationDeps, 'db' | 'identity' | 'box' | 'trustedWebhookHosts'>

/**
 * Which webhooks the caller sees: a key only its own, a member those of the account that send nothing beyond what
 * the member sees.
 */
export function viewerOf({ accountId, socialSetIds, actor, member }: Caller): WebhookViewer {
  return { accountId, socialSetIds, keyId: member ? null : actor.id }
}

/**
 * A webhook of the caller.
 *
 * @throws ProblemError `auth:insufficient_scope`, `auth:insufficient_role`, `webhook:not_found`
 */
export async function requireWebhook(db: Database, caller: Caller, id: string): Promise<WebhookRow> {
  requireRight(caller, RIGHT)
  const found = isId(id) ? await findWebhook(db, viewerOf(caller), id) : null
  if (!found) throw webhookNotFound()
  return found
}

export const webhookNotFound = () => new ProblemError('webhook:not_found', 'No webhook has this id.')

/**
 * Reads a request whose body has only the password with which a member confirms it, and checks that.
 *
 * @throws ProblemError `request:invalid_query`, `request:invalid_body`, what `confirmPassword` throws
 */
export async function readConfirmed(
  deps: ConfirmDeps,
  caller: Caller,
  { query, body }: { query: AskedQuery<undefined>; body: AskedBody<{ password: string }> },
): Promise<void> {
  // What a client sends with a request that takes no body is ignored.
  if (!caller.member) return void query.read()
  await confirmPassword(deps, caller, body.read().password)
}

/**
 * Locks the account, under whose lock its webhooks and keys change, and checks again whether the caller may still do
 * this.
 *
 * @throws ProblemError `auth:insufficient_role`
 */
export async function holdAccount(trx: DatabaseTransaction, caller: Caller): Promise<void> {
  await findAccount(trx, caller.accountId, { lock: true })
  if (caller.member) await requireStillMay(trx, caller, RIGHT)
}

/**
 * The caller holds the account.
 *
 * @throws ProblemError `webhook:limit_reached`
 */
export async function requireRoomForWebhook(trx: DatabaseTransaction, accountId: string): Promise<void> {
  const max = LIMITS.webhooks.perAccount
  if ((await countOpenWebhooks(trx, accountId)) < max) return
  throw new ProblemError(
    'webhook:limit_reached',
    `The account already has ${max} open webhooks. Delete one of them first.`,
  )
}

export function answerWebhook(row: WebhookRow): Webhook {
  const { id, url, description, types, socialSetIds, ignoreOwn, ignoreKeyIds, enabled, key } = row
  const { closedAt, closedWhy, failingSince, failures, createdByName, createdAt, oldSecretUntil } = row
  return {
    ...{ id, url, types, socialSetIds, description, enabled, ignoreOwn, ignoreKeyIds },
    closed: closedAt && closedWhy ? { at: closedAt.toISOString(), why: closedWhy } : null,
    failing: failingSince ? { since: failingSince.toISOString(), failures } : null,
    key,
    createdBy: createdByName,
    createdAt: createdAt.toISOString(),
    oldSecretUntil: oldSecretUntil?.toISOString() ?? null,
  }
}
