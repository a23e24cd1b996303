import { sql } from 'kysely'
import { LIMITS } from '#contract'
import type { Database, DatabaseTransaction } from './database.ts'
import { constantStatement } from './statements.ts'
import type { Visible } from './visible.ts'

/** The member who types, and what they may see. */
export interface KeptDraftOwner extends Visible {
  userId: string
}

type Writer = Pick<KeptDraftOwner, 'accountId' | 'userId'>

interface KeptDraftInput {
  id: string
  socialSetId: string
  /** The same as `id`, or null. */
  postSetId: string | null
  sequence: number
  basedOnVersion: number | null
  excerpt: string
  /** A JSON object as text. */
  content: string
  /** The page that writes; null of one that does not say so. */
  writer: string | null
  /** The newest that the page has seen; 0 of none. */
  seen: number
}

interface KeptDraftRow extends Omit<KeptDraftInput, 'content' | 'writer' | 'seen'> {
  content: Record<string, unknown>
  updatedAt: Date
}

/** How a row is, after a request. */
interface KeptDraftState {
  /** Of what was stored last. */
  sequence: number
  /** The page that stored it. */
  writer: string | null
  ended: 'discarded' | 'saved' | null
  updatedAt: Date
}

/** What a request has done: how the row is now, or that there is no place for it. */
type KeptDraftOutcome = KeptDraftState | 'no social set' | 'no post set' | 'limit reached' | 'saved'

type Kept = { postSetId: string | null; isSaved: boolean } & {
  [Field in keyof KeptDraftState]: KeptDraftState[Field] | null
}

const ENDED = `case when saved_sequence is not null then 'saved' when content is null then 'discarded' end as ended`

const MAY_STORE = `excluded.sequence >= kept_drafts.sequence and kept_drafts.saved_sequence is null
  and (excluded.writer is null or kept_drafts.writer is not distinct from excluded.writer or kept_drafts.sequence = $12::bigint)`

// One row where the social set is seen, none else. Nothing of the row is changed by a request with a lower sequence, and by
// that of a page which has not seen what another one wrote.
const keep = constantStatement<Kept>(`
  with place as (
    select social_set.id as social_set_id, post_set.id as post_set_id,
      $6::uuid is null and exists (select from all_post_sets where id = $3) as is_saved, (
      select count(*) < ${LIMITS.keptDrafts.perMember} or bool_or(id = $3) from kept_drafts
      where account_id = $1 and user_id = $2 and content is not null
    ) as has_room
    from social_sets social_set
    left join post_sets post_set on post_set.id = $6 and post_set.social_set_id = social_set.id
    where social_set.id = $5 and social_set.account_id = $1 and ($4::uuid[] is null or social_set.id = any($4::uuid[]))
  ), kept as (
    insert into kept_drafts (
      account_id, user_id, id, social_set_id, post_set_id, sequence, based_on_version, excerpt, content, writer
    )
    select $1, $2, $3, social_set_id, post_set_id, $7::bigint, $8::integer, $9, $10::json, $11::uuid
    from place where has_room and ($6::uuid is null or post_set_id is not null) and not is_saved
    on conflict (account_id, user_id, id) do update set
      (social_set_id, post_set_id, sequence, based_on_version, excerpt, content, writer, updated_at) = (
        select excluded.social_set_id, excluded.post_set_id, excluded.sequence, excluded.based_on_version,
          excluded.excerpt, excluded.content, excluded.writer, almanac_now()
        where ${MAY_STORE}
        union all
        select kept_drafts.social_set_id, kept_drafts.post_set_id, kept_drafts.sequence, kept_drafts.based_on_version,
          kept_drafts.excerpt, kept_drafts.content, kept_drafts.writer, kept_drafts.updated_at
        where not (${MAY_STORE})
      )
    returning sequence, writer, updated_at, ${ENDED}
  )
  select place.post_set_id as "postSetId", is_saved as "isSaved", sequence, writer, ended, updated_at as "updatedAt"
  from place left join kept on true`)

/**
 * Keeps what a member has typed, in one statement. Nothing was stored when sequence and writer that it answers are others than
 * those of the request, or when it has ended.
 */
export async function keepDraft(db: Database, owner: KeptDraftOwner, draft: KeptDraftInput): Promise<KeptDraftOutcome> {
  const { id, socialSetId, postSetId, sequence, basedOnVersion, excerpt, content, writer, seen } = draft
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
    writer,
    seen,
  ])
  if (!row) return 'no social set'
  const { writer: wroteLast, ended, updatedAt } = row
  if (row.sequence !== null && updatedAt !== null)
    return { sequence: row.sequence, writer: wroteLast, ended, updatedAt }
  if (row.isSaved) return 'saved'
  return postSetId !== null && row.postSetId === null ? 'no post set' : 'limit reached'
}

/**
 * Those that a member has in a social set, or in all that they see (null), the newest first. Those of post sets that are removed are not
 * among them.
 */
export async function listKeptDrafts(
  db: Database,
  { accountId, userId, socialSetIds }: KeptDraftOwner,
  socialSetId: string | null,
): Promise<Omit<KeptDraftRow, 'content'>[]> {
  return visibleDrafts(db, { accountId, userId })
    .select(COLUMNS)
    .where(
      socialSetId === null
        ? sql<boolean>`(${socialSetIds}::uuid[] is null or social_set_id = any(${socialSetIds}::uuid[]))`
        : sql<boolean>`social_set_id = ${socialSetId}::uuid`,
    )
    .orderBy('updated_at', 'desc')
    .orderBy('id')
    .limit(LIMITS.keptDrafts.perMember)
    .execute()
}

/** One of a member's, when they see its social set. That it was opened is noted, once a day. */
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
  if (!row?.content) return null
  await noteOpened(db, { accountId, userId }, id)
  return { ...row, content: row.content }
}

const noteOpened = (db: Database, owner: Writer, id: string) =>
  ownDraft(db, owner, id)
    .set({ opened_at: sql`almanac_now()` })
    .where(sql<boolean>`coalesce(opened_at, updated_at) < almanac_now() - interval '1 day'`)
    .execute()

/** What is left of one for a day: requests up to that sequence do not bring it back, nor do pages that have not seen it. */
const discarded = ({ sequence, writer }: { sequence: number; writer: string | null }) => ({
  content: null,
  excerpt: '',
  writer,
  sequence: sql<number>`greatest(sequence, ${sequence}::bigint) + 1`,
  updated_at: sql<Date>`almanac_now()`,
})

/** Deletes one of a member's, unless another page has written what this one has not seen. */
export async function forgetKeptDraft(
  db: Database,
  { accountId, userId }: Writer,
  { id, sequence, writer, seen }: Omit<KeptDraftSave, 'writer'> & { writer: string | null },
): Promise<'forgotten' | 'changed' | 'none'> {
  const { numUpdatedRows } = await ownDraft(db, { accountId, userId }, id)
    .set(discarded({ sequence, writer }))
    .where('content', 'is not', null)
    .where(sql<boolean>`(${writer}::uuid is null or writer = ${writer} or sequence = ${seen})`)
    .executeTakeFirst()
  if (numUpdatedRows > 0n) return 'forgotten'
  const left = await db
    .selectFrom('kept_drafts')
    .select('id')
    .where('account_id', '=', accountId)
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .where('content', 'is not', null)
    .executeTakeFirst()
  return left ? 'changed' : 'none'
}

/** What a request saves: what one page has written under an id. */
export interface KeptDraftSave {
  id: string
  /** Of what is saved. The same again is the same save. */
  sequence: number
  writer: string
  /** The newest that the page has seen; 0 of none. */
  seen: number
}

/** What a save finds: the row ended with it, or is as another request has left it. */
type KeptDraftEnding = 'ended' | 'saved before' | 'saved otherwise' | 'changed'

/**
 * Ends what a member has typed of a new post, as saved, in the transaction that makes the post set; the row is held until
 * that ends. Where nothing was kept a row is made all the same: it is by this that the same save is known again.
 *
 * @param save `socialSetId` of the post set
 */
export async function endSavedDraft(
  trx: DatabaseTransaction,
  owner: Writer,
  save: KeptDraftSave & { socialSetId: string },
): Promise<KeptDraftEnding> {
  for (;;) {
    const row = await holdDraft(trx, owner, save.id)
    if (row?.savedSequence != null) return row.savedSequence === save.sequence ? 'saved before' : 'saved otherwise'
    if (row && !hasSeen(row, save)) return 'changed'
    const ended = { writer: save.writer, saved_sequence: save.sequence, content: null, excerpt: '' }
    if (row) {
      await ownDraft(trx, owner, save.id)
        .set({ ...ended, updated_at: sql`almanac_now()` })
        .execute()
      return 'ended'
    }
    const { numInsertedOrUpdatedRows = 0n } = await trx
      .insertInto('kept_drafts')
      .values({
        ...ended,
        account_id: owner.accountId,
        user_id: owner.userId,
        id: save.id,
        social_set_id: save.socialSetId,
        post_set_id: null,
        based_on_version: null,
        sequence: save.sequence,
        opened_at: null,
      })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst()
    // Else another save has just made it.
    if (numInsertedOrUpdatedRows > 0n) return 'ended'
  }
}

/**
 * Ends what a member has typed of a post set, in the transaction that changes the set and before it holds that: what is still on its
 * way is waited for, or finds the row ended. False: another page has changed it.
 */
export async function endEditDraft(
  trx: DatabaseTransaction,
  owner: Writer,
  { id, sequence, writer, seen }: KeptDraftSave,
): Promise<boolean> {
  const { accountId, userId } = owner
  await sql`
    insert into kept_drafts (account_id, user_id, id, social_set_id, post_set_id, sequence, excerpt, writer)
    select ${accountId}, ${userId}, id, social_set_id, id, 0, '', ${writer}
    from post_sets where id = ${id} and account_id = ${accountId}
    on conflict (account_id, user_id, id) do nothing`.execute(trx)
  const row = await holdDraft(trx, owner, id)
  if (!row) return true
  if (!hasSeen(row, { writer, seen })) return false
  await ownDraft(trx, owner, id).set(discarded({ sequence, writer })).execute()
  return true
}

/** Whether someone else has this id: a post set has it, or what another member has typed. */
export async function isIdTaken(db: Database, { accountId, userId }: Writer, id: string): Promise<boolean> {
  const { rows } = await sql<{ taken: boolean }>`
    select exists (select from all_post_sets where id = ${id})
      or exists (select from kept_drafts where id = ${id} and (account_id, user_id) <> (${accountId}, ${userId})) as taken`.execute(
    db,
  )
  return rows[0]?.taken === true
}

const holdDraft = (trx: DatabaseTransaction, { accountId, userId }: Writer, id: string) =>
  trx
    .selectFrom('kept_drafts')
    .select(['sequence', 'writer', 'saved_sequence as savedSequence', sql<boolean>`content is not null`.as('isKept')])
    .where('account_id', '=', accountId)
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()

/** What was discarded can be saved; what is kept, by a page that wrote it or has seen it. */
function hasSeen(
  row: { sequence: number; writer: string | null; isKept: boolean },
  { writer, seen }: Pick<KeptDraftSave, 'writer' | 'seen'>,
): boolean {
  return !row.isKept || row.writer === writer || row.sequence === seen
}

const ownDraft = (db: Database, { accountId, userId }: Writer, id: string) =>
  db.updateTable('kept_drafts').where('account_id', '=', accountId).where('user_id', '=', userId).where('id', '=', id)

const COLUMNS = [
  'id',
  'social_set_id as socialSetId',
  'post_set_id as postSetId',
  'sequence',
  'based_on_version as basedOnVersion',
  'excerpt',
  'updated_at as updatedAt',
] as const

function visibleDrafts(db: Database, { accountId, userId }: Writer) {
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
