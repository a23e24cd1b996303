import type { AskedBody, WebhookCreate, WebhookWithSecret } from '#contract'
import { newId, newWebhookSecret, placeOfWebhook } from '#domain'
import { insertWebhook, inTransaction } from '#persistence'
import { type Caller, requireRight } from '../caller.ts'
import { confirmPassword } from '../members/confirm-password.ts'
import { refused } from '../refused.ts'
import { checkUrl, idsIn, requireKeys, requireSocialSets } from './fields.ts'
import { answerWebhook, holdAccount, requireRoomForWebhook, requireWebhook, type WebhookDeps } from './own.ts'

/**
 * Creates a webhook to which events are sent from now on: it belongs to the key or, for a member, to the account.
 * Its secret is returned only once.
 *
 * @throws ProblemError in this order: `auth:insufficient_scope` or `auth:insufficient_role`, `social-set:not_found`,
 *   `request:invalid_query`, `request:invalid_body`; for a member what `confirmPassword` throws, and `request:refused` for one who
 *   sees some social sets and names none; `webhook:limit_reached`
 */
export async function createWebhook(
  deps: WebhookDeps,
  caller: Caller,
  body: AskedBody<WebhookCreate & { password: string }>,
): Promise<WebhookWithSecret> {
  requireRight(caller, 'webhooks:write')
  await requireSocialSets(deps.db, caller, body.peek().socialSetIds)
  const asked = body.read(({ url }) => checkUrl(url, deps.trustedWebhookHosts))
  const { actor, accountId, member } = caller
  const ignoreKeyIds = idsIn(asked.ignoreKeyIds)
  await requireKeys(deps.db, caller, ignoreKeyIds)
  const socialSetIds = idsIn(asked.socialSetIds)
  if (member) await confirmPassword(deps, caller, asked.password)
  if (member && caller.socialSetIds && socialSetIds.length === 0) throw refused('why:webhook_of_all_brands')
  const { types = [], description = '', enabled = true, ignoreOwn = member === null } = asked
  const id = newId()
  const secret = newWebhookSecret()
  const sealed = deps.box.seal(Buffer.from(secret), placeOfWebhook(id))
  return inTransaction(deps.db, async (trx) => {
    await holdAccount(trx, caller)
    await requireRoomForWebhook(trx, accountId)
    await insertWebhook(trx, {
      ...{ id, accountId, url: asked.url, socialSetIds, description, enabled, ignoreOwn, ignoreKeyIds },
      types: [...new Set(types)],
      keyId: member ? null : actor.id,
      createdBy: member?.userId ?? null,
      createdByName: actor.name,
      secret: sealed.bytes,
      secretKeyId: sealed.keyId,
    })
    return { ...answerWebhook(await requireWebhook(trx, caller, id)), secret }
  })
}
