import { type AskedBody, type Profile, type ProfileBody, refuseBody } from '#contract'
import { accountsDecidedByOthers, findEmailChange, findPendingEmail, findUser, updateUserName } from '#persistence'
import { type Caller, requireMember } from '../caller.ts'
import { checkName } from '../members/read-person.ts'
import type { UserLinkDeps } from '../password-resets/deps.ts'

/** The member's name and address, and the state of a requested new address. */
export async function readProfile({ db, mailer }: UserLinkDeps, caller: Caller): Promise<Profile> {
  const { userId } = requireMember(caller)
  const [user, linked, asked, decidedIn] = await Promise.all([
    findUser(db, userId),
    findPendingEmail(db, userId),
    findEmailChange(db, userId),
    accountsDecidedByOthers(db, userId),
  ])
  if (!user) throw new Error('A member who was just let in is none.')
  const { email, refusedBy } = asked ?? { email: null, refusedBy: null }
  return {
    name: user.name,
    email: user.email,
    pendingEmail: linked ?? (refusedBy === null ? email : null),
    refusedEmail: email !== null && refusedBy !== null ? { email, refusedBy } : null,
    emailConfirmedBy: mailer ? 'LINK' : decidedIn.length > 0 ? 'OWNER' : 'PASSWORD',
  }
}

/**
 * Renames the member.
 *
 * @throws ProblemError `request:invalid_query`, `request:invalid_body`
 */
export async function rename(deps: UserLinkDeps, caller: Caller, body: AskedBody<ProfileBody>): Promise<Profile> {
  const { userId } = requireMember(caller)
  const { name } = body.read()
  refuseBody(checkName('name', name, 'A person'))
  await updateUserName(deps.db, userId, name.trim())
  return readProfile(deps, caller)
}
