import { sql } from 'kysely'
import type { AccountType, ConnectionStatus, MediaFacts, MediaTag } from '#contract'
import type { Database } from './database.ts'

export interface DeliveryMedia {
  mediaId: string
  facts: MediaFacts
  altText: string | null
  title: string | null
  description: string | null
  link: string | null
  tags: MediaTag[]
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
  }
  /** Null when there was none when the set was claimed. */
  connection: {
    id: string
    accountType: AccountType
    status: ConnectionStatus
    externalId: string
    username: string | null
    defaults: Record<string, unknown>
    identityId: string
    network: string
    sandbox: boolean
    endpoints: Record<string, string>
    /** A person has taken it away: nothing is sent with it any more. */
    closed: boolean
  } | null
}

/** Everything that the sending of one post needs, in one query. */
export async function readDeliveryContent(
  db: Database,
  delivery: { post_id: string; connection_id: string | null },
): Promise<DeliveryContent> {
  const { rows } = await sql<DeliveryContent>`
    select post_set.account_id as "accountId", post_set.social_set_id as "socialSetId",
      post_set.scheduled_at as "scheduledAt",
      jsonb_build_object('id', post.id, 'accountType', post.account_type, 'caption', post.caption,
        'fields', post.fields, 'media', coalesce((
          select jsonb_agg(jsonb_build_object('mediaId', item.id, 'facts', item.facts, 'altText', used.alt_text,
            'title', used.title, 'description', used.description, 'link', used.link, 'tags', used.tags)
            order by used.position)
          from post_media used join media_items item on item.id = used.media_id
          where used.post_id = post.id), '[]'::jsonb)) as post,
      (select jsonb_build_object('id', connection.id, 'accountType', connection.account_type,
          'status', connection.status, 'externalId', identity.external_id, 'username', connection.username,
          'defaults', connection.defaults, 'identityId', identity.id, 'network', identity.network,
          'sandbox', identity.sandbox, 'endpoints', identity.endpoints,
          'closed', connection.closed_at is not null)
        from connections connection join network_identities identity on identity.id = connection.identity_id
        where connection.id = ${delivery.connection_id}::uuid) as connection
    from posts post join post_sets post_set on post_set.id = post.post_set_id
    where post.id = ${delivery.post_id}`.execute(db)
  const content = rows[0]
  if (!content) throw new Error('The post of a delivery is gone.')
  return content
}
