import { sql } from 'kysely'
import { type AccountType, accountTypes } from '#contract'
import { newId } from '#domain'
import { issueFeedAddress } from '#operations'
import type { Database } from '#persistence'
import { type Api, IMAGE, startApi } from '../api/api.ts'
import { webhookOf } from '../webhooks/webhooks.ts'
import type { FuzzTarget } from './fuzz.ts'
import { FREE_MONTHLY_POSTS } from './invariants.ts'
import { nothingKnown } from './known.ts'
import type { FuzzCaller } from './verdict.ts'

export interface FuzzStage extends FuzzTarget {
  api: Api
}

/** A server with accounts of several plans, keys of every kind, a social set with all account types, media and labels. */
export async function startFuzzStage(): Promise<FuzzStage> {
  const plans = { FREE: { monthlyPosts: FREE_MONTHLY_POSTS, repeats: true }, STARTER: { apiAccess: false } }
  const api = await startApi({ plans })
  const { db, accountId } = api
  const main = await newPlace(api, { accountId, connected: [...accountTypes], items: 12 })
  const second = await newPlace(api, { accountId, connected: ['BLUESKY'], timezone: 'Asia/Kathmandu', items: 3 })
  const others = await newPlace(api, { accountId: await api.newAccount(), connected: ['BLUESKY'], items: 3 })
  const free = await newPlace(api, { accountId: await api.newAccount({ plan: 'FREE' }), connected: [], items: 3 })
  const closed = await newPlace(api, { accountId: await api.newAccount({ plan: 'STARTER' }), connected: [], items: 0 })
  const all = [main.home, second.home, api.socialSetId]
  const bearer = async (options: Parameters<Api['newKey']>[0]) => `Bearer ${await api.newKey(options)}`
  const revoked = await bearer({})
  await sql`update api_keys set revoked_at = almanac_now()
    where id = (select id from api_keys order by created_at desc, id desc limit 1)`.execute(db)
  const caller = (name: string, authorization: string | null, more: Partial<FuzzCaller> = {}): FuzzCaller => ({
    name,
    authorization,
    home: main.home,
    media: main.media,
    sees: new Set(all),
    shut: false,
    writes: true,
    whole: false,
    ...more,
  })
  const at = (place: Place) => ({ ...place, sees: new Set([place.home]), whole: true })
  const shut = { shut: true, writes: false, sees: new Set<string>() }
  const callers = [
    caller('main', `Bearer ${api.key}`, { whole: true }),
    caller('reader', await bearer({ scopes: [] }), { writes: false }),
    caller('drafter', await bearer({ scopes: ['post-sets:write'] })),
    caller('note writer', await bearer({ scopes: ['notes:write'] })),
    caller('restricted', await bearer({ socialSetIds: [second.home] }), at(second)),
    caller('another account', await bearer({ accountId: others.accountId }), at(others)),
    caller('free plan', await bearer({ accountId: free.accountId }), at(free)),
    caller('plan without access', await bearer({ accountId: closed.accountId }), { ...closed, ...shut }),
    caller('revoked', revoked, shut),
    caller('signed out', null, shut),
    caller('unknown key', 'Bearer alm_0000000000000000000000000000000000000000', shut),
    caller('other scheme', `Basic ${api.key}`, shut),
    caller('no key', 'Bearer ', shut),
  ]
  const edited = await editedOften(api, main.home)
  const labels = await insertLabels(db, [accountId, accountId, others.accountId])
  const webhooks = [await webhookOf(api, api.key), await webhookOf(api, api.key), await webhookOf(api, api.key)]
  await auditDeletions(db)
  const known = nothingKnown({
    'social-sets': [...all, others.home, free.home],
    'media-library': [...others.media, ...second.media, ...main.media],
    labels,
    'post-sets': [edited],
    webhooks: webhooks.map(({ id }) => id),
    feeds: [await feedOf(api, main.home)],
  })
  const rows = () => fingerprint(db)
  const logOf = (requestId: string) =>
    api
      .logged()
      .split('\n')
      .filter((line) => line.includes(requestId) && /"level":[56]0/.test(line))
      .join('\n')
      .slice(0, 2_000)
  return {
    api,
    url: api.url,
    openApi: api.openApi,
    callers,
    known,
    rows,
    logOf,
    meanwhile: () => meanwhile(db, main.home),
  }
}

/** A social set with what its library has. */
interface Place {
  accountId: string
  home: string
  media: string[]
}

async function newPlace(
  api: Api,
  options: { accountId: string; connected: AccountType[]; timezone?: string; items: number },
): Promise<Place> {
  const { accountId, items, ...more } = options
  const home = await api.newSocialSet({ accountId, ...more })
  const video = { type: 'VIDEO', mimeType: 'video/mp4', durationMs: 9_000, videoCodec: 'avc', frameRate: 30 } as const
  const media: string[] = []
  for (let index = 0; index < items; index++) {
    media.push(await api.newMedia({ accountId, socialSetId: home, facts: index % 4 === 3 ? video : IMAGE }))
  }
  return { accountId, home, media }
}

async function insertLabels(db: Database, owners: readonly string[]): Promise<string[]> {
  const rows = owners.map((owner, index) => ({ id: newId(), account_id: owner, name: `Label ${index}` }))
  await db.insertInto('labels').values(rows).execute()
  return rows.map(({ id }) => id)
}

/** What is deleted leaves a line, so that series can be counted afterwards. */
async function auditDeletions(db: Database): Promise<void> {
  await sql`create table deleted_rows (kind text, id uuid, series_id uuid)`.execute(db)
  await sql`create function keep_deleted() returns trigger language plpgsql as $$
    begin insert into deleted_rows values (tg_argv[0], old.id, old.series_id); return old; end $$`.execute(db)
  for (const table of ['post_sets', 'notes']) {
    await sql`create trigger keep before delete on ${sql.table(`all_${table}`)}
      for each row execute function keep_deleted(${sql.lit(table)})`.execute(db)
  }
}

/** What workers and people do: sets begin to publish, end, are locked and labelled; imports end. */
async function meanwhile(db: Database, socialSetId: string): Promise<void> {
  const newest = (status: string, offset: number) => sql`(select id from post_sets where status = ${status}
    and social_set_id = ${socialSetId} and locked_at is null order by id desc limit 1 offset ${sql.lit(offset)})`
  const changes = [
    sql`update post_sets set status = 'PUBLISHING', version = version + 1 where id = ${newest('SCHEDULED', 3)}`,
    sql`update post_sets set status = 'PUBLISHED', version = version + 1 where id = ${newest('SCHEDULED', 5)}`,
    sql`update post_sets set locked_at = almanac_now(), locked_by = 'a test', version = version + 1
      where id = ${newest('DRAFT', 3)}`,
    sql`insert into post_set_labels select post_sets.id, labels.id from post_sets
      join labels on labels.account_id = post_sets.account_id where post_sets.id = ${newest('DRAFT', 1)}
      on conflict do nothing`,
    sql`update media_uploads set status = 'FAILED', error_code = 'media-upload:http_error', error_message = 'Gone.'
      where status = 'PENDING'`,
  ]
  for (const change of changes) await change.execute(db)
}

/** A calendar at its address, as others read it: the token. */
async function feedOf({ db, accountId }: Api, socialSetId: string): Promise<string> {
  const of = { accountId, publicUrl: '', of: { socialSetId }, createdBy: null }
  const { url } = await issueFeedAddress(db, of)
  return url.slice('/feeds/'.length, -'.ics'.length)
}

/** What reading moves, too: when a key was used and a calendar asked for, how often somebody asks, and what is answered again. */
const MOVED_BY_READING = ['api_keys', 'calendar_feeds', 'kept_calendar_feeds', 'rate_windows']

/** How many rows every table has and which transaction last wrote to it; of what reading moves, nothing. */
async function fingerprint(db: Database): Promise<string> {
  const { rows } = await sql<{ name: string }>`select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' and not table_name = any(${MOVED_BY_READING}) order by 1`.execute(
    db,
  )
  const each = rows.map(
    ({ name }) => sql`select ${sql.lit(name)} || ' ' || count(*) || ' ' || coalesce(max(xmin::text::bigint), 0) as line
      from ${sql.table(name)}`,
  )
  const { rows: lines } = await sql<{ line: string }>`${sql.join(each, sql` union all `)}`.execute(db)
  return lines
    .map(({ line }) => line)
    .sort()
    .join('\n')
}

const EDITS = 100

/** A post set whose history is filled with long texts. */
async function editedOften(api: Api, socialSetId: string): Promise<string> {
  const set = await api.create({ socialSetId })
  for (let index = 0; index < EDITS; index++) {
    const posts = [{ ...set.posts[0], caption: `${index} ${'text '.repeat(3_000)}` }]
    await api.request('PATCH', `/v1/post-sets/${set.id}`, { body: { posts } })
  }
  return set.id
}
