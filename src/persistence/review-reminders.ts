import { sql } from 'kysely'
import { type Database, settledNow } from './database.ts'
import { addReviewNews } from './review-news.ts'
import { membersAsked } from './reviews.ts'

/** Hours before the time of a post set at which a review that waits is reminded of, the earliest first. */
const REMINDER_HOURS = [48, 24, 3] as const

/** Reminders that one transaction gives. */
const BATCH = 50

/** A step of a set that is due. */
export interface DueReminder {
  postSetId: string
  accountId: string
  socialSetId: string
  scheduledAt: Date
  hours: number
  /** It waits for the client. */
  external: boolean
  /**
   * Members who can approve it now; of none, those who may with a reason. Of what waits for the client, the one who asked.
   */
  userIds: string[]
}

/** The step whose moment has passed last, of a row called post_set. */
const step = sql`case ${sql.join(
  [...REMINDER_HOURS]
    .reverse()
    .map(
      (hours) =>
        sql`when post_set.scheduled_at <= ${settledNow} + make_interval(hours => ${hours}::integer) then ${hours}::integer`,
    ),
  sql` `,
)} end`

/**
 * Gives the reminders that are due: each step of a set once for its time, in the transaction that reports it. Sets that others
 * hold are left for the next time. Resolves with how many were given.
 */
export async function giveReminders(db: Database, { signal }: { signal?: AbortSignal } = {}): Promise<number> {
  let given = 0
  for (let last = BATCH; last === BATCH && !signal?.aborted; given += last) {
    last = await db.transaction().execute(async (trx) => {
      const due = await takeDueReminders(trx, BATCH)
      for (const reminder of due) await report(trx, reminder)
      return due.length
    })
  }
  return given
}

async function report(trx: Database, reminder: DueReminder): Promise<void> {
  const { postSetId, accountId, socialSetId, scheduledAt, hours, external, userIds } = reminder
  const once = `reminder ${postSetId} ${hours} ${scheduledAt.toISOString()}`
  const about = { accountId, socialSetId, postSetId, actor: null }
  await addReviewNews(trx, [{ ...about, kind: 'REVIEW_REMINDER', hours, asked: userIds, external, once }])
}

/** Takes the reminders that are due: their rows are there from now on, when the transaction is committed. */
export async function takeDueReminders(trx: Database, limit: number): Promise<DueReminder[]> {
  const { rows } = await sql<DueReminder>`
    with due as (
      select post_set.id, post_set.account_id, post_set.social_set_id, post_set.scheduled_at, post_set.approval,
        post_set.content_version, ${step} as hours
      from post_sets post_set join review_requests request on request.post_set_id = post_set.id
      where post_set.approval in ('PENDING', 'EXTERNAL_PENDING') and post_set.status in ('DRAFT', 'SCHEDULED')
        and post_set.scheduled_at > ${settledNow}
        and post_set.scheduled_at <= ${settledNow} + make_interval(hours => ${REMINDER_HOURS[0]}::integer)
        and request.asked_at <= post_set.scheduled_at - make_interval(hours => ${step})
        and not exists (
          select from review_reminders as reminder where reminder.post_set_id = post_set.id
            and reminder.hours = ${step} and reminder.scheduled_at = post_set.scheduled_at)
      order by post_set.scheduled_at limit ${limit} for update of post_set skip locked
    ), given as (
      insert into review_reminders (post_set_id, hours, scheduled_at) select id, hours, scheduled_at from due
    )
    select post_set.id as "postSetId", post_set.account_id as "accountId", post_set.social_set_id as "socialSetId",
      post_set.scheduled_at as "scheduledAt", post_set.hours, post_set.approval = 'EXTERNAL_PENDING' as external,
      case post_set.approval when 'EXTERNAL_PENDING'
        then array(
          select membership.user_id::text from memberships membership
          where membership.account_id = post_set.account_id
            and (membership.social_set_ids is null or post_set.social_set_id = any(membership.social_set_ids))
            and request.asked_by_type = 'USER' and request.asked_by_id = membership.user_id::text)
        else ${membersAsked(sql`request.content_by`)} end as "userIds"
    from due as post_set join review_requests request on request.post_set_id = post_set.id
    order by post_set.scheduled_at, post_set.id`.execute(trx)
  return rows
}
