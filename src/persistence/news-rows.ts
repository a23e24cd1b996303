import { sql } from 'kysely'
import type { AccountType, ActorType, Approval, NewsKind } from '#contract'
import type { NewsFacts } from './columns.ts'
import { wholeTextOfPost } from './whole-text.ts'

/** News with the names that are read when they are shown or sent. */
export interface NewsRow {
  id: string
  kind: NewsKind
  createdAt: Date
  account: { id: string; name: string }
  /** Null: of the whole account. */
  socialSet: { id: string; name: string; timezone: string } | null
  actor: { type: ActorType; name: string } | null
  accountType: AccountType | null
  connection: { id: string; name: string } | null
  /** Null also when it was deleted since. */
  postSet: { id: string; scheduledAt: Date; approval: Approval; caption: string } | null
  /** Whether they are about a post set, be it there or not. */
  ofPostSet: boolean
  postId: string | null
  /** Of a post that was put into the inbox of its account: it waits there still. */
  inInbox: boolean
  facts: NewsFacts
}

/** Code points of a caption that are read. */
const CAPTION = 480

/** Columns of a `NewsRow`; joins `NEWS_JOINS` to `news`. Times within JSON are texts: `readNewsRow` reads them. */
export const NEWS_COLUMNS = sql`
  news.id, news.kind, news.created_at as "createdAt", news.account_type as "accountType", news.post_id as "postId",
  news.post_set_id is not null as "ofPostSet", news.facts,
  news.kind = 'IN_INBOX' and exists (
    select from deliveries waiting
    where waiting.post_set_id = news.post_set_id and waiting.post_id = news.post_id and inbox_id is not null) as "inInbox",
  json_build_object('id', accounts.id, 'name', accounts.name) as account,
  case when social_sets.id is not null
    then json_build_object('id', social_sets.id, 'name', social_sets.name, 'timezone', social_sets.timezone)
    end as "socialSet",
  case when news.actor_type is not null
    then json_build_object('type', news.actor_type, 'name', news.actor_name) end as actor,
  case when connections.id is not null
    then json_build_object('id', connections.id, 'name', connections.name) end as connection,
  post_sets.id as "postSetId", post_sets.scheduled_at as "scheduledAt", post_sets.approval,
  (
    select left(${wholeTextOfPost}, ${sql.lit(CAPTION)}) from posts post where post_set_id = post_sets.id
    order by ${wholeTextOfPost} = '', position limit 1
  ) as caption`

export const NEWS_JOINS = sql`
  join accounts on accounts.id = news.account_id
  left join social_sets on social_sets.id = news.social_set_id
  left join connections on connections.id = news.connection_id
  left join post_sets on post_sets.id = news.post_set_id`

export type StoredNewsRow = Omit<NewsRow, 'postSet'> & {
  postSetId: string | null
  scheduledAt: Date | null
  approval: Approval | null
  caption: string | null
}

export function readNewsRow<T extends StoredNewsRow>({ postSetId, scheduledAt, approval, caption, ...row }: T) {
  const found = postSetId && scheduledAt && approval
  const postSet = found ? { id: postSetId, scheduledAt, approval, caption: caption ?? '' } : null
  return { ...row, postSet }
}
