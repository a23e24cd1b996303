import { sql } from 'kysely'
import { LIMITS } from '#contract'
import type { Database } from './database.ts'
import { constantStatement } from './statements.ts'
import type { Visible } from './visible.ts'

/** The member who types, and what they may see. */
export interface KeptDraftOwner extends Visible {
  userId: string
}

export interface KeptDraftInput {
  id: string
  socialSetId: string
  /** The same as `id`, or null. */
  postSetId: string | null
  sequence: number
  basedOnVersion: number | null
  excerpt: string
  /** A JSON object as text. */
  content: string
}

export interface KeptDraftRow extends Omit<KeptDraftInput, 'content'> {
  content: Record<string, unknown>
  updatedAt: Date
}

/** What a request has done: it was stored, or a newer one had been before, or there is no place for it. */
export type KeptDraftOutcome = { sequence: number; updatedAt: Date } | 'no social set' | 'no post set' | 'limit reached'

interface Kept {
  postSetId: string | null
  sequence: number | null
  updatedAt: Date | null
}

// One row where the social set is seen, none else. A request with a lower sequence changes nothing of the row.
const keep = constantStatement<Kept>(`
  with place as (
    select social_set.id as social_set_id, post_set.id as post_set_id, (
      select count(*) < ${LIMITS.keptDrafts.perMember} or bool_or(id = $3) from kept_drafts
      where account_id = $1 and user_id = $2 and content is not null
    ) as has_room
    from social_sets social_set
    left join post_sets post_set on post_set.id = $6 and post_set.social_set_id = social_set.id
    where social_set.id = $5 and social_set.account_id = $1 and ($4::uuid[] is null or social_set.id = any($4::uuid[]))
  ), kept as (
    insert into kept_drafts (account_id, user_id, id, social_set_id, post_set_id, sequence, based_on_version, excerpt, content)
    select $1, $2, $3, social_set_id, post_set_id, $7::bigint, $8::integer, $9, $10::json
    from place where has_room and ($6::uuid is null or post_set_id is not null)
    on conflict (account_id, user_id, id) do update set
      (social_set_id, post_set_id, sequence, based_on_version, excerpt, content, updated_at) = (
        select excluded.social_set_id, excluded.post_set_id, excluded.sequence, excluded.based_on_version,
          excluded.excerpt, excluded.content, almanac_now()
        where excluded.sequence >= kept_drafts.sequence
        union all
        select kept_drafts.social_set_id, kept_drafts.post_set_id, kept_drafts.sequence, kept_drafts.based_on_version,
          kept_drafts.excerpt, kept_drafts.content, kept_drafts.updated_at
        where excluded.sequence < kept_drafts.sequence
      )
    returning sequence, updated_at
  )
  select place.post_set_id as "postSetId", kept.sequence, kept.updated_at as "updatedAt"
  from place left join kept on true`)

/**
 * Keeps what a member has typed, in one statement. The sequence that it answers is that of the request, or a higher one of
 * a request that had been before: then nothing was stored.
 */
export async function keepDraft(db: Database, owner: KeptDraftOwner, draft: KeptDraftInput): Promise<KeptDraftOutcome> {
  const { id, socialSetId, postSetId, sequence, basedOnVersion, excerpt, content } = draft
  const { accountId, userId, socialSetIds } = owner
  const [row] = await keep(db, [
    accountId,
    userId,
    id,
    socialSetIds,
    socialSetId,
    postSetId,
    sequence,
    basedOnVersion,
    excerpt,
    content,
  ])
  if (!row) return 'no social set'
  if (row.sequence !== null && row.updatedAt !== null) return { sequence: row.sequence, updatedAt: row.updatedAt }
  return postSetId !== null && row.postSetId === null ? 'no post set' : 'limit reached'
}

/** Those that a member has in a social set, the newest first. Those of post sets that are removed are not among them. */
export async function listKeptDrafts(
  db: Database,
  { accountId, userId }: KeptDraftOwner,
  socialSetId: string,
): Promise<Omit<KeptDraftRow, 'content'>[]> {
  return visibleDrafts(db, { accountId, userId })
    .select(COLUMNS)
    .where('social_set_id', '=', socialSetId)
    .orderBy('updated_at', 'desc')
    .orderBy('id')
    .limit(LIMITS.keptDrafts.perMember)
    .execute()
}

/** One of a member's, when they see its social set. */
export async function findKeptDraft(
  db: Database,
  { accountId, userId, socialSetIds }: KeptDraftOwner,
  id: string,
): Promise<KeptDraftRow | null> {
  const row = await visibleDrafts(db, { accountId, userId })
    .select([...COLUMNS, 'content'])
    .where('id', '=', id)
    .where(sql<boolean>`(${socialSetIds}::uuid[] is null or social_set_id = any(${socialSetIds}::uuid[]))`)
    .executeTakeFirst()
  return row?.content ? { ...row, content: row.content } : null
}

/**
 * Deletes one of a member's; false when there is none. What is left of it for a day keeps requests up to that sequence from
 * bringing it back.
 */
export async function forgetKeptDraft(
  db: Database,
  { accountId, userId }: KeptDraftOwner,
  { id, sequence }: { id: string; sequence: number },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('kept_drafts')
    .set({
      content: null,
      excerpt: '',
      sequence: sql`greatest(sequence, ${sequence}::bigint) + 1`,
      updated_at: sql`almanac_now()`,
    })
    .where('account_id', '=', accountId)
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .where('content', 'is not', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

const COLUMNS = [
  'id',
  'social_set_id as socialSetId',
  'post_set_id as postSetId',
  'sequence',
  'based_on_version as basedOnVersion',
  'excerpt',
  'updated_at as updatedAt',
] as const

function visibleDrafts(db: Database, { accountId, userId }: Pick<KeptDraftOwner, 'accountId' | 'userId'>) {
  return db
    .selectFrom('kept_drafts')
    .where('account_id', '=', accountId)
    .where('user_id', '=', userId)
    .where('content', 'is not', null)
    .where(({ or, eb, exists, selectFrom }) =>
      or([
        eb('post_set_id', 'is', null),
        exists(selectFrom('post_sets').select('post_sets.id').whereRef('post_sets.id', '=', 'kept_drafts.post_set_id')),
      ]),
    )
}
