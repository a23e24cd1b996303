import type { LookupFunction } from 'node:net'
import type { Role } from '#contract'
import { newId } from '#domain'
import { createMailer } from '#identity'
import type { MediaStore } from '#media'
import { type Network, networksOf } from '#networks'
import { createNewsroom, createReceiver, type NewsGuests, type Newsroom, type NewsSettings, newsDefaults } from '#news'
import type { Engine } from '../engine/engine.ts'

export const ALERT_KEY = Buffer.alloc(32, 7)
export const UNSUBSCRIBE_KEYS: [Buffer] = [Buffer.alloc(32, 9)]
export const PUBLIC_URL = 'https://almanac.example'

export interface StartedNewsroom extends Newsroom {
  logged: { level: string; message: string; fields: object }[]
}

/** A newsroom on the database of an engine or a server, which looks when the test says so. */
export function startNewsroom(
  engine: Pick<Engine, 'db'>,
  options: {
    url?: string
    smtpUrl?: string
    trustedHosts?: string[]
    lookup?: LookupFunction
    settings?: Partial<NewsSettings>
    guests?: NewsGuests
    networks?: Network[]
    /** Where the pictures of posts are; absent: mails have none. */
    store?: MediaStore
    signals?: (step: 'sent', newsId: string) => void | Promise<void>
  },
): StartedNewsroom {
  const { url, smtpUrl, trustedHosts = [], lookup, settings, guests, networks = [], store, signals } = options
  const logged: StartedNewsroom['logged'] = []
  const log = (level: string) => (fields: object, message: string) => void logged.push({ level, message, fields })
  const newsroom = createNewsroom({
    db: engine.db,
    networks: networksOf(networks),
    renewsItself: async () => false,
    guests: guests ?? null,
    store: store ?? null,
    unsubscribeKeys: UNSUBSCRIBE_KEYS,
    receiver: url ? createReceiver({ url, trustedHosts, keys: [ALERT_KEY], ...(lookup ? { lookup } : {}) }) : null,
    mailer: smtpUrl ? createMailer({ smtpUrl, from: 'almanac@example.com' }) : null,
    publicUrl: PUBLIC_URL,
    // Pauses of a channel are over at once; those of a send go by the database's clock.
    settings: { ...newsDefaults, channelPausesMs: [0], ...settings },
    ...(signals ? { signals } : {}),
    log: { info: log('info'), warn: log('warn'), error: log('error') },
  })
  return { ...newsroom, logged }
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
  engine.db.selectFrom('news_sends').selectAll().orderBy('news_id').orderBy('user_id').execute()
