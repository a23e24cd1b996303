import { type RawBuilder, sql } from 'kysely'
import type {
  AccountType,
  ActorType,
  Approval,
  FormOfPost,
  HistoryAction,
  MediaType,
  Outcome,
  PostSetStatus,
} from '#contract'
import type { DeliveryState } from '#domain'
import type { Database } from './database.ts'
import { lastDelivery } from './post-set-deliveries.ts'
import { lastOutcome } from './post-sets.ts'
import { type PostSetFilters, postSetConditions } from './post-sets-list.ts'
import { HAS_SMALL_PICTURE, joinCover, SMALL_PICTURE, type SmallPicture } from './small-pictures.ts'
import { type Visible, visibleSets } from './visible.ts'
import { firstTextOfPosts } from './whole-text.ts'

interface CardNetwork {
  accountType: AccountType
  /** The last one that is known. */
  result: Outcome | null
  /** Of the last delivery; null before there is one. */
  state: DeliveryState | null
  connectionId: string | null
}

/** A post set as the calendar shows it. */
export interface CardRow {
  id: string
  socialSetId: string
  scheduledAt: Date
  status: PostSetStatus
  approval: Approval
  isLocked: boolean
  lockedBy: string | null
  version: number
  seriesId: string | null
  startsSeries: boolean
  labelsId: string[]
  networks: CardNetwork[]
  /** Beginning of the first caption, one code point longer than asked for when there is more. */
  caption: string
  /** The first one of its files; null when none has one. */
  picture: SmallPicture | null
  /** Of that file; of the first one when none has a picture, as videos may have none. */
  mediaType: MediaType | null
  mediaCount: number
  forms: FormOfPost[]
  author: { type: ActorType; name: string; id: string | null } | null
}

/**
 * SQL of a set's first small picture, the type of its file, and how many files it uses: of a row called post_set. `id`: by what the
 * picture is named.
 */
const picturedBy = (id: 'used.media_id' | 'used.id') =>
  sql.raw(`(
  select count(distinct used.media_id) as count,
    (array_agg(json_build_object('id', ${id}, ${SMALL_PICTURE}) order by post.position, used.position)
      filter (where ${HAS_SMALL_PICTURE}))[1] as picture,
    (array_agg(item.facts->>'type' order by not ${HAS_SMALL_PICTURE}, post.position, used.position))[1] as type
  from posts post join post_media used on used.post_id = post.id join media_items item on item.id = used.media_id
    ${joinCover()}
  where post.post_set_id = post_set.id)`)

export const pictured = picturedBy('used.media_id')
/** For guests, who know nothing of the library. */
export const picturedForGuests = picturedBy('used.id')

/** SQL of what the kinds of a set's posts are read from, in their order. */
export const formedOf = (postSetId: RawBuilder<unknown>) => sql`(
  select json_agg(json_build_object('accountType', post.account_type, 'type', post.fields ->> 'type', 'items', used.items,
    'video', case when used.video is not null then json_build_object('width', used.video -> 'width',
      'height', used.video -> 'height', 'durationMs', used.video -> 'durationMs') end,
    'document', coalesce(used.documents > 0 or (used.items > 1 and used.images = used.items
      and trim(coalesce(post.fields -> 'options' ->> 'documentTitle', '')) <> ''), false)) order by post.position) as posts
  from posts post left join lateral (
    select count(*) as items, count(*) filter (where item.facts ->> 'type' = 'DOCUMENT') as documents,
      count(*) filter (where item.facts ->> 'type' = 'IMAGE') as images,
      (array_agg(item.facts order by used.position) filter (where item.facts ->> 'type' = 'VIDEO'))[1] as video
    from post_media used join media_items item on item.id = used.media_id where used.post_id = post.id
  ) as used on true
  where post.post_set_id = ${postSetId})`

/** The same of a row called post_set. */
export const formed = formedOf(sql`post_set.id`)

/** Which post sets of a social set, or of all that are visible: then it is null. */
interface CardFilters extends Omit<PostSetFilters, 'socialSetId'> {
  socialSetId: string | null
}

interface Take {
  limit: number
  captionCodePoints: number
  /** By time, or the latest first. */
  order?: keyof typeof ORDERS
}

const ORDERS = { earliest: sql.raw('scheduled_at, id'), latest: sql.raw('scheduled_at desc, id desc') } as const

/** The first of each social set, each by a range of its index, and of these the first of all. */
const overAll = (visible: Visible, filters: CardFilters, { limit, order = 'earliest' }: Take) => sql`
  select each_set.* from (${visibleSets(visible, null)}) as brand, lateral (
    select * from post_sets where ${postSetConditions({ ...filters, socialSetId: sql`brand.id` })}
    order by ${ORDERS[order]} limit ${limit}
  ) as each_set
  order by ${ORDERS[order]} limit ${limit}`

/**
 * The post sets of a calendar by time, in one query: what cards need of each and nothing else. Of a social set that is named,
 * the caller knows that it may be seen.
 */
export function cardsQuery(visible: Visible, filters: CardFilters, take: Take): RawBuilder<CardRow> {
  const { socialSetId } = filters
  const { limit, captionCodePoints, order = 'earliest' } = take
  const found =
    socialSetId === null
      ? overAll(visible, filters, take)
      : sql`select * from post_sets where ${postSetConditions({ ...filters, socialSetId })}
          order by ${ORDERS[order]} limit ${limit}`
  return sql<CardRow>`
    select post_set.id, post_set.social_set_id as "socialSetId", post_set.scheduled_at as "scheduledAt", post_set.status, post_set.approval,
      post_set.locked_at is not null as "isLocked", post_set.locked_by as "lockedBy", post_set.version,
      post_set.series_id as "seriesId", post_set.starts_series as "startsSeries",
      coalesce((
        select json_agg(label_id order by label_id) from post_set_labels join labels on labels.id = label_id
        where post_set_id = post_set.id and removed_by is null
      ), '[]') as "labelsId",
      coalesce(shown.networks, '[]') as networks, coalesce(shown.caption, '') as caption,
      pictured.picture, pictured.type as "mediaType", coalesce(pictured.count, 0)::integer as "mediaCount",
      coalesce(formed.posts, '[]') as forms,
      (
        select json_build_object('type', actor_type, 'name', actor_name, 'id', actor_id) from history
        where post_set_id = post_set.id order by sequence limit 1
      ) as author
    from (${found}) as post_set
    left join lateral (
      select json_agg(json_build_object(
          'accountType', post.account_type, 'result', ${sql.raw(lastOutcome)}, 'state', delivery.state,
          'connectionId', delivery.connection_id
        ) order by post.position) as networks,
        ${firstTextOfPosts(captionCodePoints)} as caption
      from posts post left join lateral ${lastDelivery} as delivery on true
      where post.post_set_id = post_set.id
    ) as shown on true
    left join lateral ${pictured} as pictured on true
    left join lateral ${formed} as formed on true
    order by ${ORDERS[order]}`
}

export async function listCards(db: Database, ...query: Parameters<typeof cardsQuery>): Promise<CardRow[]> {
  return (await cardsQuery(...query).execute(db)).rows
}

/** Post sets whose makers are read: as many as can be looked at while a person waits. */
const AUTHORED = 20_000
/** The same of each social set, where all are asked for. */
const AUTHORED_OF_EACH = 1_000

/**
 * Who has made the post sets of a social set, or of all that are visible (null), by name; of a large one those who made the
 * newest. The id is that of the user or key, or else the type of the actor.
 */
export async function listAuthors(
  db: Database,
  visible: Visible,
  socialSetId: string | null,
): Promise<{ id: string; type: ActorType; name: string }[]> {
  const { rows } = await sql<{ id: string; type: ActorType; name: string }>`
    select distinct on (coalesce(actor_id, actor_type)) coalesce(actor_id, actor_type) as id, actor_type as type,
      actor_name as name
    from (${visibleSets(visible, socialSetId)}) as brand, lateral (
      select id from post_sets where social_set_id = brand.id order by created_at desc, id desc
      limit ${socialSetId === null ? AUTHORED_OF_EACH : AUTHORED}
    ) as newest join history on history.post_set_id = newest.id
    where action = ${'created' satisfies HistoryAction}
    order by 1, sequence desc`.execute(db)
  return rows.sort((a, b) => (a.name < b.name ? -1 : 1))
}
