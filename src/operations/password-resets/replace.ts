import {
  type DatabaseTransaction,
  deleteEmailChange,
  deleteFirstSteps,
  deleteSessions,
  deleteUserLinks,
  updatePasswordHash,
} from '#persistence'

/**
 * Gives a user another password. What was let in by the one before ends: links, a mail address that was asked for, sign-ins
 * that wait for a code, and sessions but that one. The caller holds the user.
 */
export async function replacePassword(
  trx: DatabaseTransaction,
  userId: string,
  passwordHash: string,
  { staysSignedIn }: { staysSignedIn: string | null },
): Promise<void> {
  await updatePasswordHash(trx, userId, passwordHash)
  await deleteUserLinks(trx, userId)
  await deleteEmailChange(trx, userId)
  await deleteFirstSteps(trx, userId)
  await deleteSessions(trx, userId, staysSignedIn)
}
