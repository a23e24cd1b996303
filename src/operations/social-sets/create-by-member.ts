import { type AskedBody, ProblemError, refuseBody, type SocialSet, type SocialSetBody } from '#contract'
import { newId } from '#domain'
import {
  addSocialSetToMembership,
  countSocialSets,
  type Database,
  findAccount,
  insertSocialSet,
  listSocialSetRows,
} from '#persistence'
import { type Caller, requireMember, requireRight } from '../caller.ts'
import { checkName, refusalAt } from '../members/read-person.ts'
import { readName, readTimezone } from './create.ts'
import { socialSetAnswer } from './list.ts'

/**
 * Creates a social set for a member, within the plan. A member who sees only some social sets also sees the new one.
 *
 * @throws ProblemError `auth:insufficient_role`, `request:invalid_query`, `request:invalid_body`,
 *   `plan:social_sets_exceeded`
 */
export async function createSocialSetByMember(
  { db }: { db: Database },
  caller: Caller,
  body: AskedBody<SocialSetBody>,
): Promise<SocialSet> {
  requireRight(caller, 'social-sets:manage')
  const { userId } = requireMember(caller)
  const input = body.read()
  const { name, timezone } = readSocialSet(input, { name: '', timezone: '' })
  const { accountId } = caller
  const id = newId()
  return db.transaction().execute(async (trx) => {
    await findAccount(trx, accountId, { lock: true })
    const limit = caller.plan.socialSets
    if (limit !== null && (await countSocialSets(trx, { accountId, socialSetIds: null })) >= limit) {
      const sets = limit === 1 ? 'the one social set' : `the ${limit} social sets`
      const words = `The account has ${sets} of its plan. What is there keeps working and publishing.`
      throw new ProblemError('plan:social_sets_exceeded', words)
    }
    await insertSocialSet(trx, { id, accountId, name, timezone, color: input.color })
    await addSocialSetToMembership(trx, { accountId, userId, socialSetId: id })
    return readSocialSetAnswer(trx, accountId, id)
  })
}

/** The requested name and time zone; absent ones stay. Problems of both are reported at once. */
export function readSocialSet(
  input: { name?: string; timezone?: string },
  before: { name: string; timezone: string },
): { name: string; timezone: string } {
  const { name = before.name, timezone = before.timezone } = input
  refuseBody([...checkName('name', name, 'A social set'), ...refusalAt('timezone', () => readTimezone(timezone))])
  return { name: readName(name, 'A social set'), timezone: readTimezone(timezone) }
}

/** A social set that was just written. */
export async function readSocialSetAnswer(db: Database, accountId: string, id: string): Promise<SocialSet> {
  const [row] = await listSocialSetRows(db, { accountId, socialSetIds: [id] }, { limit: 1, offset: 0 })
  if (!row) throw new Error('A social set that was just written is not there.')
  return socialSetAnswer(row)
}
