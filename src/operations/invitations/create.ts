import { type AskedBody, type InvitationBody, LIMITS, type MadeInvitation, ProblemError, refuseBody } from '#contract'
import { newId, newLinkToken } from '#domain'
import {
  type DatabaseTransaction,
  type InvitationRow,
  insertInvitation,
  listOpenInvitations,
  markInvitation,
} from '#persistence'
import { type Caller, requireRight } from '../caller.ts'
import { type Access, type LockedTeam, lockTeam, requireMayManage } from '../members/lock-team.ts'
import { readAccess } from '../members/read-access.ts'
import { checkEmail, plainEmail } from '../members/read-person.ts'
import { linkTo, type UserLinkDeps } from '../password-resets/deps.ts'
import { refused } from '../refused.ts'
import { mailInvitation } from './mail.ts'
import { openInvitation } from './open.ts'
import { invitationAnswer } from './serialize.ts'

/**
 * Invites a person by email address to become a member. The link is shown only once; it is valid for 7 days and one
 * use. If mail can be sent, it is also mailed to the address, without waiting for it.
 *
 * @throws ProblemError `auth:insufficient_role`, `request:invalid_query`, `request:invalid_body`,
 *   `invitation:member_already`, `invitation:invited_already`
 * @throws Refusal when too many are open
 */
export async function createInvitation(
  deps: UserLinkDeps,
  caller: Caller,
  { body, headers }: { body: AskedBody<InvitationBody>; headers: Headers },
): Promise<MadeInvitation> {
  requireRight(caller, 'members:manage')
  const { email, ...wanted } = readInvitation(body)
  if (wanted.role === 'owner') requireRight(caller, 'owners:manage')
  const { token, hash: tokenHash } = newLinkToken()
  const row = await deps.db.transaction().execute(async (trx) => {
    const team = await lockTeam(trx, caller)
    const access = await readAccess(trx, caller.accountId, wanted)
    requireMayManage(caller, team.self, access)
    await requireNotInvited(trx, caller, team, email)
    const { accountId } = caller
    const id = newId()
    const inviter = { id: team.self.userId, name: team.self.name }
    await insertInvitation(trx, { id, accountId, email, ...access, tokenHash, inviter, days: LIMITS.invitationDays })
    return openInvitation(trx, caller, id)
  })
  return madeInvitation(deps, row, { token, caller, headers })
}

/** The answer about an invitation whose link was just created. It is mailed if possible. */
export function madeInvitation(
  deps: UserLinkDeps,
  row: InvitationRow,
  { token, ...by }: { token: string; caller: Caller; headers: Headers },
): MadeInvitation {
  const link = linkTo(deps.publicUrl, 'invitation', token)
  return { invitation: invitationAnswer(row), link, mailed: mailInvitation(deps, row, { link, ...by }) }
}

function readInvitation(body: AskedBody<InvitationBody>): Access & { email: string } {
  const read = body.read()
  const email = plainEmail(read.email)
  refuseBody(checkEmail('email', email))
  return { ...read, email }
}

/** An invitation that has expired makes room for the new one. */
async function requireNotInvited(
  trx: DatabaseTransaction,
  { accountId }: Caller,
  { members }: LockedTeam,
  email: string,
): Promise<void> {
  const member = members.find((one) => one.email.toLowerCase() === email)
  if (member) {
    throw new ProblemError('invitation:member_already', `${email} is a member already, by the name ${member.name}.`)
  }
  const open = await listOpenInvitations(trx, accountId)
  const earlier = open.find((one) => one.email === email)
  if (earlier && !earlier.expired) {
    const words = `${email} is invited already. Send that invitation again, or take it back first.`
    throw new ProblemError('invitation:invited_already', words)
  }
  const max = LIMITS.openInvitationsPerAccount
  if (open.length >= max && !earlier) {
    throw refused('why:invitations_full', { count: String(max) })
  }
  if (earlier) await markInvitation(trx, earlier.id, 'revoked')
}
