import {
  type Database,
  type DatabaseTransaction,
  deleteEmailChange,
  deleteUserLinks,
  findUserByEmail,
  isInvited,
  updateUserEmail,
} from '#persistence'
import { refused } from '../refused.ts'

/**
 * Refuses an address that another user has, or that an account has invited: it is meant for the person who was invited.
 * One answer for both, as neither is known to everybody.
 *
 * @throws ProblemError `request:refused`
 */
export async function requireFreeEmail(db: Database, email: string): Promise<void> {
  if ((await findUserByEmail(db, email)) || (await isInvited(db, email))) throw refused('why:email_taken')
}

/**
 * Gives a user another address. Links and other requests of the user end. The caller holds the user.
 *
 * @throws ProblemError `request:refused` when another user has the address
 */
export async function takeEmail(trx: DatabaseTransaction, userId: string, email: string): Promise<void> {
  if (!(await updateUserEmail(trx, userId, email))) throw refused('why:email_taken')
  await deleteUserLinks(trx, userId)
  await deleteEmailChange(trx, userId)
}
