import { type AskedBody, type EmailDecisionBody, ProblemError, type TeamMember } from '#contract'
import {
  accountsDecidedByOthers,
  type Database,
  type DatabaseTransaction,
  decideEmailChange,
  type EmailChange,
  findEmailChange,
  listMemberships,
  lockUser,
  type MemberRow,
} from '#persistence'
import { type Caller, requireMember, requireRight } from '../caller.ts'
import { requireFreeEmail, takeEmail } from '../profile/take-email.ts'
import { refused } from '../refused.ts'
import { memberAnswer } from './list.ts'
import { lockTeam, memberOf } from './lock-team.ts'
import { plainEmail } from './read-person.ts'

/**
 * Confirms the address that a member requested, in every account where the caller is an owner. It becomes the
 * member's address once an owner has confirmed it in each account that the member does not own alone: no one gets an
 * address against the will of another account's owners.
 *
 * @throws Refusal when the request is over or another one, or the address is not free any more
 * @throws ProblemError `auth:insufficient_role`, `member:not_found`, `request:invalid_query`, `request:invalid_body`
 */
export function confirmMemberEmail(
  deps: { db: Database },
  caller: Caller,
  userId: string,
  body: AskedBody<EmailDecisionBody>,
): Promise<TeamMember> {
  return decide(deps, caller, userId, body, async (trx, member, change) => {
    await requireFreeEmail(trx, change.email)
    const owned = (await listMemberships(trx, requireMember(caller).userId)).filter(({ role }) => role === 'owner')
    const confirmedIn = [...new Set([...change.confirmedIn, ...owned.map(({ accountId }) => accountId)])]
    const missing = (await accountsDecidedByOthers(trx, member.userId)).filter((id) => !confirmedIn.includes(id))
    if (missing.length > 0) {
      await decideEmailChange(trx, member.userId, { confirmedIn })
      return member
    }
    await takeEmail(trx, member.userId, change.email)
    return { ...member, email: change.email }
  })
}

/**
 * Refuses the address that a member requested. The member keeps the current one and sees who refused.
 *
 * @throws Refusal when the request is over or another one
 * @throws ProblemError as `confirmMemberEmail`
 */
export function refuseMemberEmail(
  deps: { db: Database },
  caller: Caller,
  userId: string,
  body: AskedBody<EmailDecisionBody>,
): Promise<TeamMember> {
  return decide(deps, caller, userId, body, async (trx, member) => {
    await decideEmailChange(trx, member.userId, { refusedBy: caller.actor.name })
    return member
  })
}

/** Decides about the address that the owner saw, while neither the team nor the member's address changes. */
async function decide(
  { db }: { db: Database },
  caller: Caller,
  userId: string,
  body: AskedBody<EmailDecisionBody>,
  work: (trx: DatabaseTransaction, member: MemberRow, change: EmailChange) => Promise<MemberRow>,
): Promise<TeamMember> {
  requireRight(caller, 'member-sign-in:manage')
  return db.transaction().execute(async (trx) => {
    const team = await lockTeam(trx, caller)
    const member = memberOf(team, userId)
    const email = plainEmail(body.read().email)
    if (member === team.self) {
      throw new ProblemError('auth:insufficient_role', 'Another owner confirms your own address.')
    }
    await lockUser(trx, member.userId)
    const change = await findEmailChange(trx, member.userId)
    const open = change?.email === email && change.refusedBy === null && !change.confirmedIn.includes(caller.accountId)
    if (!open) throw refused('why:email_not_asked', { name: member.name })
    return memberAnswer(caller, { ...(await work(trx, member, change)), pendingEmail: null })
  })
}
