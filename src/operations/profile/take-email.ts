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
 * Refuses an address that another user has, or that an account has invited: it is reserved for the invited person.
 * Both get the same answer, because neither should be revealed.
 *
 * @throws ProblemError `request:refused`
 */
export async function requireFreeEmail(db: Database, email: string): Promise<void> {
  if ((await findUserByEmail(db, email)) || (await isInvited(db, email))) throw refused('why:email_taken')
}

/**
 * Changes a user's address. Links and other requests of the user end. The caller holds the user's lock.
 *
 * @throws ProblemError `request:refused` when another user has the address
 */
export async function takeEmail(trx: DatabaseTransaction, userId: string, email: string): Promise<void> {
  if (!(await updateUserEmail(trx, userId, email))) throw refused('why:email_taken')
  await deleteUserLinks(trx, userId)
  await deleteEmailChange(trx, userId)
}
