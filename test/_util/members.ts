import { newId } from '#domain'
import { createIdentity, type Identity } from '#identity'
import type { ConfirmingMember } from '#operations'
import { insertMembership, insertUser } from '#persistence'
import type { Api } from './api.ts'

/** The sign-in of an installation, on the database of a test. */
export function identityOf({ db }: Pick<Api, 'db'>): Identity {
  const secrets = [Buffer.alloc(32, 1)] as const
  return createIdentity({ db, newId, publicUrl: 'https://almanac.test', secrets, defaultPlan: 'SCALE' })
}

/** Makes a user with a password a member of an account; or makes one a member again. */
export async function newMember(
  api: Pick<Api, 'db'>,
  accountId: string,
  again?: ConfirmingMember,
): Promise<ConfirmingMember> {
  const { hashPassword, newPassword } = identityOf(api)
  const member = again ?? { accountId, userId: newId(), password: newPassword() }
  const { userId, password } = member
  if (!again) {
    const passwordHash = await hashPassword(password)
    await insertUser(api.db, { id: userId, name: 'Ada', email: `${userId}@example.invalid`, passwordHash })
  }
  await insertMembership(api.db, { accountId, userId, role: 'member' })
  return { ...member, accountId }
}
