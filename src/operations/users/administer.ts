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

/** Everyone who can sign in, by address. */
export function listUsersForOperator({ db }: { db: Database }): Promise<OperatorsUser[]> {
  return listUsers(db)
}

/**
 * Lets a user who has lost the app and the backup codes sign in with only a password. A sign-in that waits for a
 * code ends.
 *
 * @throws Refusal
 */
export async function takeSecondStepAway({ db }: { db: Database }, email: string): Promise<{ email: string }> {
  const plain = plainEmail(email)
  const user = await findUserByEmail(db, plain)
  if (!user) throw new Refusal(`There is no user ${plain}.`)
  if (!user.twoFactorEnabled) throw new Refusal(`${plain} already signs in without a second step.`)
  await db.transaction().execute(async (trx) => {
    await lockUser(trx, user.id)
    await deleteSecondStep(trx, user.id, null)
    await deleteFirstSteps(trx, user.id)
  })
  return { email: plain }
}

/**
 * Makes a user an operator, who enters network apps in the dashboard, or removes that role, effective with the next
 * request.
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
