import type { AskedBody, AskedQuery, Webhook } from '#contract'
import { isId } from '#domain'
import {
  adoptWebhook as adoptRow,
  closeWebhooks,
  type Database,
  findClosedWebhook,
  findWebhook,
  inTransaction,
  type WebhookRow,
} from '#persistence'
import { type Caller, requireRight } from '../caller.ts'
import { refused } from '../refused.ts'
import {
  answerWebhook,
  holdAccount,
  readConfirmed,
  requireRoomForWebhook,
  requireWebhook,
  viewerOf,
  type WebhookDeps,
  webhookNotFound,
} from './own.ts'

/**
 * Reopens a closed webhook, which then belongs to the key or, for a member, to the account. What was kept while it
 * was closed is sent, and what has happened since. A key can adopt any webhook that has sent nothing that the key
 * cannot see.
 *
 * @throws ProblemError in this order: `auth:insufficient_scope` or `auth:insufficient_role`, `webhook:not_found`, `request:refused`
 *   for an own one that is not closed, `request:invalid_query`; for a member `request:invalid_body` and what `confirmPassword`
 *   throws; `webhook:limit_reached`
 */
export async function adoptWebhook(
  deps: WebhookDeps,
  caller: Caller,
  id: string,
  request: { query: AskedQuery<undefined>; body: AskedBody<{ password: string }> },
): Promise<Webhook> {
  requireRight(caller, 'webhooks:write')
  await requireAdoptable(deps.db, caller, id)
  await readConfirmed(deps, caller, request)
  return inTransaction(deps.db, async (trx) => {
    await holdAccount(trx, caller)
    const webhook = await requireAdoptable(trx, caller, id)
    await requireRoomForWebhook(trx, caller.accountId)
    // Of a key that has ended just now it is not closed yet.
    await closeWebhooks(trx, [webhook.id], 'KEY_ENDED')
    const { member, actor } = caller
    const owner = {
      keyId: member ? null : actor.id,
      createdBy: member?.userId ?? null,
      createdByName: actor.name,
    }
    await adoptRow(trx, webhook.id, owner)
    return answerWebhook(await requireWebhook(trx, caller, webhook.id))
  })
}

async function requireAdoptable(db: Database, caller: Caller, id: string): Promise<WebhookRow> {
  if (!isId(id)) throw webhookNotFound()
  const own = await findWebhook(db, viewerOf(caller), id)
  if (own && !own.closedAt) throw refused('why:webhook_open')
  const found = own ?? (await findClosedWebhook(db, caller, id))
  if (!found) throw webhookNotFound()
  return found
}
