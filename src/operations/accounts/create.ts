import { isMailAddress, PLAN_NAMES, type PlanName } from '#contract'
import { newId } from '#domain'
import type { Identity } from '#identity'
import {
  type Database,
  type DatabaseTransaction,
  holdFirstAccount,
  insertAccount,
  insertMembership,
  insertUser,
  markOperator,
} from '#persistence'
import type { ConnectSandboxDeps } from '../connections/connect-sandbox.ts'
import { plainEmail } from '../members/read-person.ts'
import { Refusal } from '../refusal.ts'
import { refused } from '../refused.ts'
import { addSocialSet, readName } from '../social-sets/create.ts'

interface MakeAccountDeps extends ConnectSandboxDeps {
  db: Database
}

export interface CreateAccountDeps extends MakeAccountDeps {
  identity: Pick<Identity, 'hashPassword' | 'newPassword'>
}

/** An account, checked as far as it can be without the database. */
interface NewAccount {
  name: string
  plan: PlanName
  socialSet: { name: string; timezone: string; sandbox: boolean }
  /** Without an address, one is made of the account's name; it receives no mail. */
  owner: { name: string; email: string | null; passwordHash: string }
  /** Only when there is no account yet. */
  asFirst?: boolean
  /** The owner operates the installation. */
  operator?: boolean
}

export interface CreateAccountInput {
  name: string
  plan: string
  timezone: string
  /** Connect the social set to the simulators. */
  sandbox: boolean
  /** Null: one is made of the account's name; it receives no mail. */
  ownerEmail: string | null
  /** The owner operates the installation. */
  operator?: boolean
}

interface CreatedAccount {
  accountId: string
  ownerEmail: string
  /** Shown this once; stored as a hash. */
  ownerPassword: string
  socialSetId: string
}

/**
 * Creates an account with its owner and one social set, all or nothing.
 *
 * @throws Refusal
 */
export async function createAccount(deps: CreateAccountDeps, input: CreateAccountInput): Promise<CreatedAccount> {
  const name = readName(input.name, 'An account')
  const plan = readPlan(input.plan)
  const ownerEmail = input.ownerEmail === null ? null : readEmail(input.ownerEmail)
  const ownerPassword = deps.identity.newPassword()
  // Takes tens of milliseconds by design: before the transaction, not in it.
  const passwordHash = await deps.identity.hashPassword(ownerPassword)

  const made = await makeAccount(deps, {
    name,
    plan,
    socialSet: { name, timezone: input.timezone, sandbox: input.sandbox },
    owner: { name: `Owner of ${name}`, email: ownerEmail, passwordHash },
    operator: input.operator ?? false,
  })
  return { ...made, ownerPassword }
}

/**
 * Creates an account with its owner and one social set, all or nothing. Every account is created here.
 *
 * @throws Refusal
 */
export async function makeAccount(
  deps: MakeAccountDeps,
  { name, plan, socialSet, owner, asFirst = false, operator = false }: NewAccount,
): Promise<Omit<CreatedAccount, 'ownerPassword'>> {
  return deps.db.transaction().execute(async (trx) => {
    if (asFirst && !(await holdFirstAccount(trx))) throw refused('why:account_here')
    const account = await insertWithFreeSlug(trx, { id: newId(), name, plan })
    const email = owner.email ?? `owner@${account.slug}.invalid`
    const userId = newId()
    const { passwordHash } = owner
    if (!(await insertUser(trx, { id: userId, name: owner.name, email, passwordHash }))) {
      throw new Refusal(`A user ${email} already exists.`)
    }
    if (operator) await markOperator(trx, userId, true)
    await insertMembership(trx, { accountId: account.id, userId, role: 'owner' })
    const { socialSetId } = await addSocialSet(trx, deps, { accountId: account.id, ...socialSet })
    return { accountId: account.id, ownerEmail: email, socialSetId }
  })
}

/** @throws Refusal */
export function readPlan(text: string): PlanName {
  const plan = PLAN_NAMES.find((name) => name === text.toUpperCase())
  if (!plan) throw new Refusal(`There is no plan ${text}. Available: ${PLAN_NAMES.join(', ')}.`)
  return plan
}

function readEmail(text: string): string {
  const email = plainEmail(text)
  if (!isMailAddress(email)) throw new Refusal(`${text} is not a mail address.`)
  return email
}

/** The name as part of an address; when that is taken, with a piece of the id behind it. */
async function insertWithFreeSlug(
  trx: DatabaseTransaction,
  account: { id: string; name: string; plan: PlanName },
): Promise<{ id: string; slug: string }> {
  const plain = slugOf(account.name)
  for (const slug of [plain, `${plain}-${account.id.slice(-8)}`]) {
    if (await insertAccount(trx, { ...account, slug })) return { id: account.id, slug }
  }
  throw new Error('No slug was free.')
}

function slugOf(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 40)
    .replace(/^-|-$/g, '')
  return plain || 'account'
}
