import {
  type DatabaseTransaction,
  deleteEmailChange,
  deleteFirstSteps,
  deleteSessions,
  deleteUserLinks,
  updatePasswordHash,
} from '#persistence'

/**
 * Replaces a user's password. Everything that the old one opened ends: links, a requested email address, sign-ins
 * that wait for a code, and all sessions except the given one. The caller holds the user's lock.
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
