import { type AskedBody, type AskedQuery, checkWebhookReadOnly, type Webhook, type WebhookUpdate } from '#contract'
import { deleteWebhook, inTransaction, updateWebhook, type WebhookFields } from '#persistence'
import type { Caller } from '../caller.ts'
import { confirmPassword } from '../members/confirm-password.ts'
import { refused } from '../refused.ts'
import { idsIn, requireKeys, requireSocialSets } from './fields.ts'
import { answerWebhook, holdAccount, readConfirmed, requireWebhook, type WebhookDeps } from './own.ts'

/**
 * Changes what is sent to a webhook. Omitted fields stay; read-only fields are accepted with their current value.
 *
 * @throws ProblemError in this order: `auth:insufficient_scope` or `auth:insufficient_role`, `webhook:not_found`,
 *   `social-set:not_found`, `request:invalid_query`, `request:invalid_body`; for a member what `confirmPassword` throws, and
 *   `request:refused` for one who sees some social sets and names none
 */
export async function changeWebhook(
  deps: WebhookDeps,
  caller: Caller,
  id: string,
  body: AskedBody<WebhookUpdate & { password: string }>,
): Promise<Webhook> {
  const known = await requireWebhook(deps.db, caller, id)
  const given = body.peek().socialSetIds
  await requireSocialSets(deps.db, caller, given, known.socialSetIds)
  const asked = body.read((fields) => checkWebhookReadOnly(fields, answerWebhook(known)))
  if (asked.ignoreKeyIds) await requireKeys(deps.db, caller, idsIn(asked.ignoreKeyIds))
  if (caller.member) await confirmPassword(deps, caller, asked.password)
  return inTransaction(deps.db, async (trx) => {
    await holdAccount(trx, caller)
    const before = await requireWebhook(trx, caller, known.id)
    const after: WebhookFields = {
      types: asked.types ? [...new Set(asked.types)] : before.types,
      socialSetIds: asked.socialSetIds ? idsIn(asked.socialSetIds) : before.socialSetIds,
      description: asked.description ?? before.description,
      enabled: asked.enabled ?? before.enabled,
      ignoreOwn: asked.ignoreOwn ?? before.ignoreOwn,
      ignoreKeyIds: asked.ignoreKeyIds ? idsIn(asked.ignoreKeyIds) : before.ignoreKeyIds,
    }
    const ofSome = caller.member !== null && caller.socialSetIds !== null && before.key === null
    if (ofSome && after.socialSetIds.length === 0) throw refused('why:webhook_of_all_brands')
    await updateWebhook(trx, known.id, after)
    return answerWebhook(await requireWebhook(trx, caller, known.id))
  })
}

/**
 * Deletes a webhook, with its log and what waits to be sent.
 *
 * @throws ProblemError in this order: `auth:insufficient_scope` or `auth:insufficient_role`, `webhook:not_found`,
 *   `request:invalid_query`; for a member `request:invalid_body` and what `confirmPassword` throws
 */
export async function removeWebhook(
  deps: WebhookDeps,
  caller: Caller,
  id: string,
  request: { query: AskedQuery<undefined>; body: AskedBody<{ password: string }> },
): Promise<void> {
  await requireWebhook(deps.db, caller, id)
  await readConfirmed(deps, caller, request)
  await inTransaction(deps.db, async (trx) => {
    await holdAccount(trx, caller)
    const { id: webhookId } = await requireWebhook(trx, caller, id)
    await deleteWebhook(trx, webhookId)
  })
}
