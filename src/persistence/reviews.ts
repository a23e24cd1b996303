import { type RawBuilder, sql } from 'kysely'
import { type ActorType, type Decision, type ReviewStep, rolesWith } from '#contract'
import type { BrandRule } from '#domain'
import { type Database, now } from './database.ts'
import { STORED_AS } from './stored-decisions.ts'

/** The rule of approval of a social set, as it is stored. */
export async function findBrandRule(db: Database, socialSetId: string): Promise<BrandRule> {
  return db
    .selectFrom('social_sets')
    .select(['approval_rule as rule', 'approval_reviewers as reviewers'])
    .where('id', '=', socialSetId)
    .executeTakeFirstOrThrow()
}

/** Gives a social set another rule. No post set changes by it. */
export async function writeBrandRule(db: Database, socialSetId: string, rule: BrandRule): Promise<void> {
  await db
    .updateTable('social_sets')
    .set({
      approval_rule: rule.rule,
      approval_reviewers: rule.reviewers,
      updated_at: now,
    })
    .where('id', '=', socialSetId)
    .execute()
}

/** Who did something, with the id; null for what has none. */
export interface PersonRow {
  type: ActorType
  id: string | null
  name: string
}

/** The review of a set whose row is held. */
interface ReviewRound {
  /** User who changed its content last; null when that was a key. */
  changedBy: string | null
  /** Who asked; null when nothing is known of it. */
  asked: PersonRow | null
  /** Whose approvals of the team count now, each once. */
  given: PersonRow[]
}

/**
 * SQL: whether an approval counts, of a row of `review_decisions` called decision, and of its post set and request (which may be
 * null) called post_set and request. It is of the team and of the content as it is, and not older than the request, which was
 * neither withdrawn nor denied: then the next one begins from none.
 */
export const countsNow = sql<boolean>`(
  decision.decision = 'APPROVED' and decision.step = 'TEAM' and decision.content_version = post_set.content_version
  and decision.sequence >= coalesce(greatest(request.sequence, request.content_sequence), 0) and post_set.approval not in ('NONE', 'DENIED'))`

/**
 * SQL: whether a member who may review can approve a row of post_sets called post_set for the team now: they have not changed its
 * content last, and have not approved it, where a rule counts that.
 *
 * @param userId SQL of the id as text
 * @param changedBy SQL of the id of the user who changed its content last
 */
export const canApprove = (userId: RawBuilder<unknown>, changedBy: RawBuilder<unknown>) => sql<boolean>`(
  ${userId} is distinct from ${changedBy} and (
    (select approval_rule from social_sets where id = post_set.social_set_id) = 'OPTIONAL'
    or not exists (
      select from review_decisions as decision
      where decision.post_set_id = post_set.id and decision.actor_type = 'USER' and decision.actor_id = ${userId}
        and ${countsNow} offset 0)))`

/** SQL: how many members can approve a row of post_sets called post_set for the team now. */
export const reviewersLeft = (changedBy: RawBuilder<unknown>) => sql<number>`(
  select count(*)::integer from memberships membership
  where membership.account_id = post_set.account_id
    and (membership.social_set_ids is null or post_set.social_set_id = any(membership.social_set_ids))
    and membership.role = any(${rolesWith('post-sets:review')}::text[])
    and ${canApprove(sql`membership.user_id::text`, changedBy)})`

/**
 * SQL: members who can approve a row of post_sets called post_set for the team now; of none, those who may with a reason. Who is asked
 * and who is reminded.
 */
export const membersAsked = (changedBy: RawBuilder<unknown>) => sql<string[]>`array(
  select membership.user_id::text from memberships membership
  where membership.account_id = post_set.account_id
    and (membership.social_set_ids is null or post_set.social_set_id = any(membership.social_set_ids))
    and case ${reviewersLeft(changedBy)} when 0
      then membership.role = any(${rolesWith('post-sets:approve-alone')}::text[])
      else membership.role = any(${rolesWith('post-sets:review')}::text[])
        and ${canApprove(sql`membership.user_id::text`, changedBy)} end
  order by 1)`

/** The members who are asked for the team's approval of a post set that waits for it. */
export async function findReviewers(trx: Database, postSetId: string): Promise<string[]> {
  const { rows } = await sql<{ asked: string[] }>`
    select ${membersAsked(sql`request.content_by`)} as asked
    from post_sets post_set join review_requests request on request.post_set_id = post_set.id
    where post_set.id = ${postSetId}`.execute(trx)
  return rows[0]?.asked ?? []
}

/** How many members can still approve a post set for the team. */
export async function countReviewersLeft(trx: Database, postSetId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select ${reviewersLeft(sql`(select user_id from almanac_content_changed(post_set.id))`)} as count
    from post_sets post_set left join review_requests request on request.post_set_id = post_set.id
    where post_set.id = ${postSetId}`.execute(trx)
  return rows[0]?.count ?? 0
}

/** The round of a post set. */
export async function readRound(trx: Database, postSetId: string): Promise<ReviewRound> {
  const { rows } = await sql<ReviewRound>`
    select (select user_id from almanac_content_changed(post_set.id)) as "changedBy",
      case when request.post_set_id is not null then json_build_object(
        'type', request.asked_by_type, 'id', request.asked_by_id, 'name', request.asked_by_name
      ) end as asked,
      coalesce((
        select json_agg(json_build_object('type', entry.actor_type, 'id', entry.actor_id, 'name', entry.actor_name)
          order by decision.sequence)
        from review_decisions as decision
          join history entry on entry.post_set_id = decision.post_set_id and entry.sequence = decision.sequence
        where decision.post_set_id = post_set.id and ${countsNow}
      ), '[]') as given
    from post_sets post_set left join review_requests request on request.post_set_id = post_set.id
    where post_set.id = ${postSetId}`.execute(trx)
  const row = rows[0]
  if (!row) throw new Error('A post set whose row is held is not there.')
  return row
}

/** Adds a decision to its row of history, which is the newest of the set. The caller holds the set's row. */
export async function addDecision(
  trx: Database,
  postSetId: string,
  { decision, step }: { decision: Decision; step: ReviewStep },
): Promise<void> {
  await sql`update review_decisions set latest = false where post_set_id = ${postSetId} and latest`.execute(trx)
  await sql`
    insert into review_decisions
      (post_set_id, sequence, social_set_id, decision, step, actor_type, actor_id, content_version, decided_at, latest)
    select post_set.id, entry.sequence, post_set.social_set_id, ${STORED_AS[decision]}, ${step}, entry.actor_type, entry.actor_id,
      post_set.content_version, entry.at, true
    from post_sets post_set, lateral (
      select * from history where post_set_id = post_set.id order by sequence desc limit 1
    ) as entry
    where post_set.id = ${postSetId}`.execute(trx)
}

/** Removes the decision that belongs to a row of history, which was taken back; the one before it is the newest again. */
export async function removeDecision(trx: Database, postSetId: string, sequence: number): Promise<void> {
  await sql`delete from review_decisions where post_set_id = ${postSetId} and sequence = ${sequence}`.execute(trx)
  await sql`
    update review_decisions set latest = true
    where (post_set_id, sequence) = (
      select post_set_id, sequence from review_decisions where post_set_id = ${postSetId} order by sequence desc limit 1)
      and not latest`.execute(trx)
}

/** Whether the newest decision about a post set is an approval with a reason. */
export async function isApprovedWithReason(trx: Database, postSetId: string): Promise<boolean> {
  const { rows } = await sql`
    select from review_decisions as decision
      join history entry on entry.post_set_id = decision.post_set_id and entry.sequence = decision.sequence
    where decision.post_set_id = ${postSetId} and decision.latest and decision.decision = 'APPROVED'
      and entry.changes ? 'reason'`.execute(trx)
  return rows.length > 0
}

/** Members with one of these roles who see a social set, in the order of their names. */
export async function listMembersOfSet(
  db: Database,
  { accountId, socialSetId, roles }: { accountId: string; socialSetId: string; roles: readonly string[] | null },
): Promise<{ userId: string; name: string }[]> {
  const { rows } = await sql<{ userId: string; name: string }>`
    select users.id as "userId", users.name from memberships membership join users on users.id = membership.user_id
    where membership.account_id = ${accountId}
      and (membership.social_set_ids is null or ${socialSetId}::uuid = any(membership.social_set_ids))
      and ${roles === null ? sql`true` : sql`membership.role = any(${[...roles]}::text[])`}
    order by lower(users.name), users.id`.execute(db)
  return rows
}
