import { sql } from 'kysely'
import { HOUR_MS } from '#contract/durations'
import { type Database, now } from './database.ts'
import { FENCED, LOOKED_UP, listed, NOT_BEGUN } from './delivery-states.ts'

/** Whether a write was refused as the id that a network gave is the result of another delivery. */
export const isTaken = (error: unknown): boolean => {
  const { code, constraint } = (error ?? {}) as { code?: string; constraint?: string }
  return code === '23505' && constraint === 'deliveries_provider_id'
}

/**
 * Takes an id of the network for a delivery. `taken`: it is another one's. `lost`: another worker has taken over.
 */
export async function claimProviderId(
  db: Database,
  { id, owner, identityId }: { id: string; owner: string; identityId: string },
  providerId: string,
): Promise<'claimed' | 'taken' | 'lost'> {
  try {
    const { numUpdatedRows } = await db
      .updateTable('deliveries')
      .set({ provider_id: providerId, identity_id: identityId, updated_at: now })
      .where('id', '=', id)
      .where('lease_owner', '=', owner)
      .where('state', '!=', 'DONE')
      .executeTakeFirst()
    return numUpdatedRows === 1n ? 'claimed' : 'lost'
  } catch (error) {
    if (isTaken(error)) return 'taken'
    throw error
  }
}

/** Another delivery of an identity that may have made an entry of a listing. */
interface OtherDelivery {
  id: string
  /** What is known of its id; null for nothing. */
  providerId: string | null
  /** Those of all its parts that are known. */
  partIds: (string | null)[]
  /** Whether its words are the same. */
  isTwin: boolean
  /** As a twin without an id is: see `Twin` of the machine. `absent`: it has certainly made nothing. */
  state: 'calling' | 'unsure' | 'vague' | 'absent'
  /** A call of it is under way: of the post, or of what follows it. */
  isCalling: boolean
  /** Its fence was committed before. */
  isFirst: boolean
  /** Its last fence; of a post whose first comment is on its way the last change. */
  calledAt: Date
}

/** Nothing that ended so long before the first fence of a delivery is in a listing of what was made since. */
const BEFORE_MS = HOUR_MS

/**
 * The other deliveries of an identity, over all of its connections, that a network may list since the first fence of one: what is
 * begun, and what has ended since an hour before. Of those that a version before has fenced the captions are compared.
 */
export async function readOthers(
  db: Database,
  own: { id: string; identityId: string; wordsKey: string },
): Promise<OtherDelivery[]> {
  const { rows } = await sql<OtherDelivery>`
    with own as (
      select deliveries.id, first_fenced_at, fenced_at, caption
      from deliveries join posts on posts.id = deliveries.post_id where deliveries.id = ${own.id}
    )
    select other.id,
      coalesce(other.provider_id, other.result ->> 'providerId', other.handles ->> 'providerId') as "providerId",
      jsonb_path_query_array(other.parts, '$[*].providerId') as "partIds",
      case when other.words_key is null then post.caption = own.caption else other.words_key = ${own.wordsKey} end as "isTwin",
      case when other.surely_absent then 'absent' when other.state in ${listed(LOOKED_UP)} then 'unsure'
        when other.state in ${listed(FENCED)} or other.state = 'CONFIRMING' then 'calling' else 'vague' end as state,
      other.state in ${listed(FENCED)} as "isCalling",
      coalesce((other.fenced_at, other.id) < (own.fenced_at, own.id), false) as "isFirst",
      case when other.fenced_at is null or other.handles ? 'providerId' then other.updated_at else other.fenced_at end
        as "calledAt"
    from own
      join connections connection on connection.identity_id = ${own.identityId}
      join deliveries other on other.connection_id = connection.id and other.id <> own.id
        and (other.finished_at is null
          or other.finished_at > own.first_fenced_at - ${BEFORE_MS} * interval '1 millisecond')
      join posts post on post.id = other.post_id
    where other.state not in ${listed(NOT_BEGUN)}`.execute(db)
  return rows
}
