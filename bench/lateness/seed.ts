import { sql } from 'kysely'
import type { AccountType } from '#contract'
import { createSecretBox, newId } from '#domain'
import { createCredentialBox } from '#operations'
import { type Database, insertAccount, insertConnection, insertIdentity, insertSocialSet } from '#persistence'

/** What is sent: a text each, to four networks of fifty accounts; or to one that waits before its visible call. */
const KINDS = {
  texts: ['BLUESKY', 'FACEBOOK', 'LINKEDIN_PERSONAL', 'TWITTER'],
  waiting: ['THREADS'],
} as const
export type Kind = keyof typeof KINDS
export const ACCOUNT_TYPES = [...KINDS.texts, ...KINDS.waiting] as const
const NETWORK_NAMES = {
  ...{ BLUESKY: 'bluesky', FACEBOOK: 'facebook', LINKEDIN_PERSONAL: 'linkedin', TWITTER: 'x', THREADS: 'threads' },
} as const
export const ACCOUNTS = 50
/** What people choose when they connect. */
const DEFAULTS: Partial<Record<AccountType, Record<string, unknown>>> = { LINKEDIN_PERSONAL: { visibility: 'PUBLIC' } }
export const SECRET_KEY = Buffer.alloc(32, 1)

/** The accounts with their connections. */
export async function fillAccounts(db: Database): Promise<void> {
  const box = createCredentialBox(createSecretBox([SECRET_KEY]))
  for (let nth = 0; nth < ACCOUNTS; nth++) {
    const [accountId, socialSetId] = [newId(), newId()]
    await insertAccount(db, { id: accountId, name: 'Bench', slug: accountId, plan: 'SCALE' })
    await insertSocialSet(db, { id: socialSetId, accountId, name: 'Brand', timezone: 'Europe/Berlin' })
    for (const accountType of ACCOUNT_TYPES) {
      const identityId = newId()
      const sealed = box.seal(identityId, {
        accessToken: 'token',
        accessJwt: 'token',
        refreshJwt: 'token',
        refreshToken: 'token',
      })
      await insertIdentity(db, {
        ...{ id: identityId, accountId, network: NETWORK_NAMES[accountType], externalId: String(1_000 + nth) },
        ...{ sandbox: false, endpoints: {}, ...sealed, expiresAt: null },
      })
      await insertConnection(db, {
        ...{ id: newId(), accountId, socialSetId, identityId, accountType, name: 'Me', username: 'me' },
        ...{ profileUrl: null, avatarUrl: null, statusReason: null, defaults: DEFAULTS[accountType] ?? {} },
      })
    }
  }
}

/** Schedules so many sets of one text each, the first at `at`, each of the others `everyMs` later; accounts take turns. */
export async function schedule(
  db: Database,
  { count, at, everyMs, kind = 'texts' }: { count: number; at: Date; everyMs: number; kind?: Kind },
): Promise<void> {
  const accountTypes = KINDS[kind]
  await sql`
    with brands as (
      select id, account_id, row_number() over (order by id) - 1 as place from social_sets
    ), sets as (
      insert into post_sets (id, account_id, social_set_id, scheduled_at, status, approval, search_text)
      select gen_random_uuid(), account_id, brands.id,
        ${at.toISOString()}::timestamptz + (number - 1) * ${everyMs} * interval '1 millisecond', 'SCHEDULED', 'NONE',
        'the summer harvest is in'
      from generate_series(1, ${count}::int) as number join brands on place = number % ${ACCOUNTS}
      returning id, social_set_id, scheduled_at
    ), numbered as (
      select *, row_number() over (partition by social_set_id order by scheduled_at, id) as number from sets
    )
    insert into posts (id, post_set_id, social_set_id, position, account_type, caption, fields)
    select gen_random_uuid(), id, social_set_id, 0, account_type,
      'The summer harvest is in: come by on Saturday. due' || (extract(epoch from scheduled_at) * 1000)::bigint,
      case account_type when 'FACEBOOK' then '{"type": "TEXT"}' else '{}' end::jsonb
    from numbered, lateral (
      select (${[...accountTypes]}::text[])[1 + number % ${accountTypes.length}] as account_type
    ) as post`.execute(db)
}
