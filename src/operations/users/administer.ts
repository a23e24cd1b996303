import {
  type Database,
  deleteFirstSteps,
  deleteSecondStep,
  findUserByEmail,
  listUsers,
  lockUser,
  markOperator,
} from '#persistence'
import { plainEmail } from '../members/read-person.ts'
import { Refusal } from '../refusal.ts'

interface OperatorsUser {
  id: string
  email: string
  name: string
  twoFactorEnabled: boolean
  /** Operates the installation in the dashboard. */
  operator: boolean
  memberships: { accountId: string; account: string; role: string }[]
}

/** Everybody who can sign in, by address. */
export function listUsersForOperator({ db }: { db: Database }): Promise<OperatorsUser[]> {
  return listUsers(db)
}

/**
 * Lets a user who has lost the app and the backup codes sign in by password alone. A sign-in that waits for a code ends.
 *
 * @throws Refusal
 */
export async function takeSecondStepAway({ db }: { db: Database }, email: string): Promise<{ email: string }> {
  const plain = plainEmail(email)
  const user = await findUserByEmail(db, plain)
  if (!user) throw new Refusal(`There is no user ${plain}.`)
  if (!user.twoFactorEnabled) throw new Refusal(`${plain} signs in without a second step already.`)
  await db.transaction().execute(async (trx) => {
    await lockUser(trx, user.id)
    await deleteSecondStep(trx, user.id, null)
    await deleteFirstSteps(trx, user.id)
  })
  return { email: plain }
}

/**
 * Makes a user an operator, who enters the apps of networks in the dashboard, or takes that away. It holds from the next
 * request on.
 *
 * @throws Refusal
 */
export async function setOperator(
  { db }: { db: Database },
  email: string,
  operator: boolean,
): Promise<{ email: string; operator: boolean }> {
  const plain = plainEmail(email)
  const user = await findUserByEmail(db, plain)
  if (!user) throw new Refusal(`There is no user ${plain}.`)
  await markOperator(db, user.id, operator)
  return { email: plain, operator }
}
