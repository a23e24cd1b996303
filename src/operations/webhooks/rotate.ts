import { type AskedBody, type AskedQuery, ProblemError, type WebhookWithSecret } from '#contract'
import { newWebhookSecret, placeOfWebhook } from '#domain'
import { inTransaction, replaceWebhookSecret, type WebhookRow } from '#persistence'
import type { Caller } from '../caller.ts'
import { answerWebhook, holdAccount, readConfirmed, requireWebhook, type WebhookDeps } from './own.ts'

/**
 * Replaces the secret of a webhook; the new one is returned only once. The previous one also signs for 24 hours.
 *
 * @throws ProblemError in this order: `auth:insufficient_scope` or `auth:insufficient_role`, `webhook:not_found`,
 *   `webhook:rotation_in_progress` within these hours, `request:invalid_query`; for a member `request:invalid_body` and what
 *   `confirmPassword` throws
 */
export async function rotateWebhookSecret(
  deps: WebhookDeps,
  caller: Caller,
  id: string,
  request: { query: AskedQuery<undefined>; body: AskedBody<{ password: string }> },
): Promise<WebhookWithSecret> {
  requireNoRotation(await requireWebhook(deps.db, caller, id))
  await readConfirmed(deps, caller, request)
  return inTransaction(deps.db, async (trx) => {
    await holdAccount(trx, caller)
    const webhook = await requireWebhook(trx, caller, id)
    requireNoRotation(webhook)
    const secret = newWebhookSecret()
    const sealed = deps.box.seal(Buffer.from(secret), placeOfWebhook(webhook.id))
    await replaceWebhookSecret(trx, webhook.id, { secret: sealed.bytes, secretKeyId: sealed.keyId })
    return { ...answerWebhook(await requireWebhook(trx, caller, id)), secret }
  })
}

function requireNoRotation({ oldSecretUntil }: WebhookRow): void {
  if (!oldSecretUntil) return
  throw new ProblemError(
    'webhook:rotation_in_progress',
    `The secret before the present one signs until ${oldSecretUntil.toISOString()}. It can be replaced again then.`,
  )
}
