import { sql } from 'kysely'
import type { AccountType, ConnectionStatus, Fit, HoldShown } from '#contract'
import { countRows, type Database } from './database.ts'
import { heldStartShown, openStart, type StartShown } from './held-start.ts'
import type { ConnectionState } from './post-sets-facts.ts'
import { constantStatement } from './statements.ts'
import { isVisible, type Visible } from './visible.ts'

export interface SocialSetPlace {
  id: string
  name: string
  /** IANA name. */
  timezone: string
}

export interface SocialSetRow extends SocialSetPlace {
  /** `#rrggbb` */
  color: string
  fit: Fit
  createdAt: Date
  /** A start that is held, or else its own, or else that of the account. */
  hold: StoredHold | null
  accounts: {
    id: string
    type: AccountType
    name: string
    username: string | null
    profileUrl: string | null
    avatarUrl: string | null
    status: ConnectionStatus
    statusReason: string | null
    /** ISO 8601 with an offset. */
    connectedAt: string
    hold: StoredHold | null
  }[]
}

/** `since` is ISO 8601 with an offset. */
type StoredHold = HoldShown

const ONE_VISIBLE = `
  from social_sets where id = $1 and account_id = $2 and ($3::uuid[] is null or id = any($3::uuid[]))`

const findOne = constantStatement<SocialSetPlace>(`select id, name, timezone ${ONE_VISIBLE}`)

/** A social set, when the caller may see it. */
export async function findSocialSet(db: Database, visible: Visible, id: string): Promise<SocialSetPlace | null> {
  const [row] = await findOne(db, [id, visible.accountId, visible.socialSetIds])
  return row ?? null
}

/** A social set as it is for new posts: where they go, and what time it is. */
export interface PlaceForPosts extends SocialSetPlace {
  /** What becomes of pictures of new posts that do not say it. */
  fit: Fit
  /** Its open connections. */
  connections: ConnectionState[]
  /** By the database's clock. */
  now: Date
}

const placeForPosts = constantStatement<PlaceForPosts>(`
  select id, name, timezone, fit, almanac_now() as now, coalesce((
    select json_agg(json_build_object('accountType', account_type, 'status', status, 'defaults', defaults,
      'signIn', sign_in))
    from connections where social_set_id = social_sets.id and closed_at is null
  ), '[]') as connections
  ${ONE_VISIBLE}`)

/** A social set for new posts, when the caller may see it. */
export async function findPlaceForPosts(db: Database, visible: Visible, id: string): Promise<PlaceForPosts | null> {
  const [row] = await placeForPosts(db, [id, visible.accountId, visible.socialSetIds])
  return row ?? null
}

const shownHold = sql`json_build_object('since', held_at, 'by', held_by_name, 'reason', reason)`

/** A page of the social sets that the caller may see, by name, with their open connections. */
export async function listSocialSetRows(
  db: Database,
  visible: Visible,
  page: { limit: number; offset: number },
): Promise<SocialSetRow[]> {
  const some = visibleSocialSets(db, visible)
    .selectAll()
    .orderBy('name')
    .orderBy('id')
    .limit(page.limit)
    .offset(page.offset)
  const { rows } = await sql<SocialSetRow & { start: StartShown | null }>`
    select social_set.id, social_set.name, social_set.color, social_set.fit, social_set.timezone, social_set.created_at as "createdAt",
      (
        select ${shownHold} from holds
        where released_at is null and account_id = social_set.account_id and connection_id is null
          and (social_set_id is null or social_set_id = social_set.id)
        order by social_set_id nulls last limit 1
      ) as hold, ${openStart} as start,
      coalesce((
        select json_agg(json_build_object(
          'id', connection.id, 'type', connection.account_type, 'name', connection.name,
          'username', connection.username, 'profileUrl', connection.profile_url, 'avatarUrl', connection.avatar_url,
          'status', connection.status, 'statusReason', connection.status_reason,
          'connectedAt', connection.connected_at,
          'hold', (select ${shownHold} from holds where released_at is null and connection_id = connection.id)
        ) order by connection.account_type)
        from connections connection
        where connection.social_set_id = social_set.id and connection.closed_at is null
      ), '[]') as accounts
    from ${some} as social_set
    order by social_set.name, social_set.id`.execute(db)
  return rows.map(({ start, ...row }) => (start === null ? row : { ...row, hold: heldStartShown(start) }))
}

/** How many social sets the caller may see: exact up to `LIMITS.exactTotal`, then one more. */
export function countSocialSets(db: Database, visible: Visible): Promise<number> {
  return countRows(db, visibleSocialSets(db, visible).select('id'))
}

/** Ids of all social sets that the caller may see. */
export async function socialSetsSeen(db: Database, visible: Visible): Promise<string[]> {
  const rows = await visibleSocialSets(db, visible).select('id').execute()
  return rows.map(({ id }) => id)
}

/** Those of the given ids that are social sets of the account. */
export async function socialSetsOf(db: Database, accountId: string, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const rows = await visibleSocialSets(db, { accountId, socialSetIds: ids }).select('id').execute()
  return rows.map(({ id }) => id)
}

/** Names of those of the given social sets that the caller sees. */
export async function socialSetNames(
  db: Database,
  visible: Visible,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await visibleSocialSets(db, visible).select(['id', 'name']).where('id', 'in', ids).execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** Names and timezones of social sets, in the order of their ids here. The caller has checked that they may be seen. */
export async function socialSetPlaces(db: Database, ids: readonly string[]): Promise<SocialSetPlace[]> {
  const { rows } = await sql<SocialSetPlace>`
    select id, name, timezone from social_sets where id = any(${ids}::uuid[])
    order by array_position(${ids}::uuid[], id)`.execute(db)
  return rows
}

function visibleSocialSets(db: Database, visible: Visible) {
  return db.selectFrom('social_sets').where(isVisible(visible, { account: 'account_id', socialSet: 'id' }))
}
