import type { LookupFunction } from 'node:net'
import { type Alerter, type AlerterSettings, alerterDefaults, createAlerter, createReceiver } from '#alerting'
import type { Role } from '#contract'
import { newId } from '#domain'
import { createMailer } from '#identity'
import { networksOf } from '#networks'
import type { Engine } from './engine.ts'

export const ALERT_KEY = Buffer.alloc(32, 7)
export const PUBLIC_URL = 'https://almanac.example'

export interface StartedAlerter extends Alerter {
  logged: { level: string; message: string; fields: object }[]
}

/** An alerter on the database of an engine, which looks when the test says so. */
export function startAlerter(
  engine: Engine,
  options: {
    url?: string
    smtpUrl?: string
    trustedHosts?: string[]
    lookup?: LookupFunction
    settings?: Partial<AlerterSettings>
    signals?: (step: 'sent', alertId: string) => void | Promise<void>
  },
): StartedAlerter {
  const { url, smtpUrl, trustedHosts = [], lookup, settings, signals } = options
  const logged: StartedAlerter['logged'] = []
  const log = (level: string) => (fields: object, message: string) => void logged.push({ level, message, fields })
  const alerter = createAlerter({
    db: engine.db,
    networks: networksOf([]),
    receiver: url ? createReceiver({ url, trustedHosts, keys: [ALERT_KEY], ...(lookup ? { lookup } : {}) }) : null,
    mailer: smtpUrl ? createMailer({ smtpUrl, from: 'almanac@example.com' }) : null,
    publicUrl: PUBLIC_URL,
    // Pauses of a channel are over at once; those of a send go by the database's clock.
    settings: { ...alerterDefaults, channelPausesMs: [0], ...settings },
    ...(signals ? { signals } : {}),
    log: { info: log('info'), warn: log('warn'), error: log('error') },
  })
  return { ...alerter, logged }
}

/** A member of the engine's account. Returns the user's id. */
export async function addMember(
  engine: Engine,
  member: { email: string; role: Role; socialSetIds?: string[] },
): Promise<string> {
  const { account_id } = await engine.db.selectFrom('social_sets').select('account_id').executeTakeFirstOrThrow()
  const id = newId()
  await engine.db.insertInto('users').values({ id, name: member.email, email: member.email }).execute()
  await engine.db
    .insertInto('memberships')
    .values({ id: newId(), account_id, user_id: id, role: member.role, social_set_ids: member.socialSetIds ?? null })
    .execute()
  return id
}

/** A row of history that names who created or scheduled a set. */
export async function addHistoryRow(
  engine: Engine,
  postSetId: string,
  row: { action: 'created' | 'scheduled'; type: 'USER' | 'API_KEY'; id: string },
): Promise<void> {
  const { account_id } = await engine.db.selectFrom('social_sets').select('account_id').executeTakeFirstOrThrow()
  await engine.db
    .insertInto('history')
    .values({
      id: newId(),
      account_id,
      post_set_id: postSetId,
      actor_type: row.type,
      actor_id: row.id,
      actor_name: 'Somebody',
      action: row.action,
    })
    .execute()
}

export const sendsOf = (engine: Engine) =>
  engine.db.selectFrom('alert_sends').selectAll().orderBy('alert_id').orderBy('user_id').execute()
