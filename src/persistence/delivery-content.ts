import type { AccountType, ConnectionStatus, MediaCrop, MediaFacts, MediaTag } from '#contract'
import type { Database } from './database.ts'
import { type DeliveryRow, MOST_TOGETHER } from './deliveries.ts'
import type { SealedIdentity } from './identity-secrets.ts'
import { constantStatement } from './statements.ts'

export interface DeliveryMedia {
  mediaId: string
  facts: MediaFacts
  altText: string | null
  title: string | null
  description: string | null
  link: string | null
  tags: MediaTag[]
  /** Null: the whole picture. */
  crop: MediaCrop | null
}

export interface DeliveryContent {
  accountId: string
  socialSetId: string
  scheduledAt: Date
  post: {
    id: string
    accountType: AccountType
    caption: string
    fields: Record<string, unknown>
    media: DeliveryMedia[]
    /** Further parts, in order. */
    thread: { caption: string; media: DeliveryMedia[] }[]
  }
  /** Null when there was none when the set was claimed. */
  connection: {
    id: string
    accountType: AccountType
    status: ConnectionStatus
    externalId: string
    username: string | null
    defaults: Record<string, unknown>
    signIn: string | null
    identityId: string
    network: string
    sandbox: boolean
    endpoints: Record<string, string>
    /** A person has taken it away: nothing is sent with it any more. */
    closed: boolean
  } | null
  /**
   * The longest wait that the network has asked for, of the identity or of the app; also one that is over. Demo accounts are no
   * app's.
   */
  pause: { until: Date; message: string } | null
  /** The sealed secret of that connection's identity. */
  identity: Secret | null
}

type Secret = Pick<SealedIdentity, 'id' | 'secret' | 'secretKeyId' | 'expiresAt' | 'refreshedAt'>

/** What names the content of a delivery. */
export type ContentOf = Pick<DeliveryRow, 'id' | 'post_id' | 'connection_id' | 'lane'>

/** Everything that the sending of posts needs, in one query: by the ids of their deliveries; without those whose post is gone. */
export async function readDeliveryContents(
  db: Database,
  deliveries: readonly ContentOf[],
): Promise<Map<string, DeliveryContent>> {
  const given = deliveries.map(({ id, post_id, connection_id, lane }) => ({ id, post_id, connection_id, lane }))
  const rows = await (given.length === 1 ? oneContent : contents)(db, [JSON.stringify(given)])
  return new Map(rows.map(({ deliveryId, ...row }) => [deliveryId, contentOf(row)]))
}

function contentOf(row: ContentRow): DeliveryContent {
  const { identityId: id, secret, secretKeyId, expiresAt, refreshedAt, pausedUntil, pauseMessage, ...content } = row
  return {
    ...content,
    pause: pausedUntil && { until: pausedUntil, message: pauseMessage ?? '' },
    identity: id === null ? null : { id, secret, secretKeyId, expiresAt, refreshedAt },
  }
}

type ContentRow = Omit<DeliveryContent, 'identity' | 'pause'> & { identityId: string | null } & Omit<Secret, 'id'> & {
    pausedUntil: Date | null
    pauseMessage: string | null
  }

const mediaOfPart = (part: string) => `coalesce((
        select jsonb_agg(jsonb_build_object('mediaId', item.id, 'facts', item.facts, 'altText', used.alt_text,
          'title', used.title, 'description', used.description, 'link', used.link, 'tags', used.tags,
          'crop', used.crop)
          order by used.position)
        from post_media used join media_items item on item.id = used.media_id
        where used.post_id = post.id and used.part = ${part}), '[]'::jsonb)`

/** $1: a list of `ContentOf`, of which there are `most`: PostgreSQL would expect a hundred. */
const contentQuery = (most: number) => `
  select given.id as "deliveryId", post_set.account_id as "accountId", post_set.social_set_id as "socialSetId",
    post_set.scheduled_at as "scheduledAt",
    jsonb_build_object('id', post.id, 'accountType', post.account_type, 'caption', post.caption,
      'fields', post.fields, 'media', ${mediaOfPart('0')}, 'thread', coalesce((
        select jsonb_agg(jsonb_build_object('caption', part ->> 'caption', 'media', ${mediaOfPart('nth')}) order by nth)
        from jsonb_array_elements(post.thread) with ordinality as parts (part, nth)), '[]'::jsonb)) as post,
    case when identity.id is not null then
      jsonb_build_object('id', connection.id, 'accountType', connection.account_type,
        'status', connection.status, 'externalId', identity.external_id, 'username', connection.username,
        'defaults', connection.defaults, 'signIn', connection.sign_in, 'identityId', identity.id, 'network', identity.network,
        'sandbox', identity.sandbox, 'endpoints', identity.endpoints,
        'closed', connection.closed_at is not null)
    end as connection,
    identity.id as "identityId", identity.secret, identity.secret_key_id as "secretKeyId",
    identity.expires_at as "expiresAt", identity.refreshed_at as "refreshedAt",
    pause.until as "pausedUntil", pause.message as "pauseMessage"
  from (
      select * from jsonb_to_recordset($1::jsonb) as given (id uuid, post_id uuid, connection_id uuid, lane text) limit ${most}
    ) as given
    join posts post on post.id = given.post_id
    join post_sets post_set on post_set.id = post.post_set_id
    left join connections connection on connection.id = given.connection_id
    left join network_identities identity on identity.id = connection.identity_id
    left join lateral (
      select identity.not_before as until, identity.not_before_message as message
      where identity.not_before is not null
      union all
      select not_before, not_before_message from lanes
      where name = given.lane and not_before is not null and identity.sandbox is not true
      order by 1 desc limit 1
    ) as pause on true`

type Named = ContentRow & { deliveryId: string }
const oneContent = constantStatement<Named>(contentQuery(1))
const contents = constantStatement<Named>(contentQuery(MOST_TOGETHER))
