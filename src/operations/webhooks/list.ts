import { LIMITS, type Webhook, type WebhookList } from '#contract'
import { countOpenWebhooks, type Database, listWebhooks } from '#persistence'
import { type Caller, requireRight } from '../caller.ts'
import { answerWebhook, requireWebhook, viewerOf } from './own.ts'

/**
 * The caller's webhooks, oldest first, closed ones last.
 *
 * @throws ProblemError `auth:insufficient_scope`, `auth:insufficient_role`
 */
export async function listWebhooksOf({ db }: { db: Database }, caller: Caller): Promise<WebhookList> {
  requireRight(caller, 'webhooks:write')
  const [rows, openCount] = await Promise.all([
    listWebhooks(db, viewerOf(caller)),
    countOpenWebhooks(db, caller.accountId),
  ])
  return { data: rows.map(answerWebhook), openCount, limit: LIMITS.webhooks.perAccount }
}

/** @throws ProblemError `auth:insufficient_scope`, `auth:insufficient_role`, `webhook:not_found` */
export async function getWebhook({ db }: { db: Database }, caller: Caller, id: string): Promise<Webhook> {
  return answerWebhook(await requireWebhook(db, caller, id))
}
