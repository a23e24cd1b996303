import { nameProblem } from '#contract'
import { newId } from '#domain'
import { type Database, type DatabaseTransaction, insertSocialSet } from '#persistence'
import { type ConnectSandboxDeps, connectSandbox } from '../connections/connect-sandbox.ts'
import { accountOrRefusal, Refusal } from '../refusal.ts'

interface CreateSocialSetInput {
  accountId: string
  name: string
  /** IANA name. */
  timezone: string
  /** Connect it to the simulators. */
  sandbox: boolean
}

/**
 * Creates a social set in an account.
 *
 * @throws Refusal
 */
export async function createSocialSet(
  deps: ConnectSandboxDeps & { db: Database },
  input: CreateSocialSetInput,
): Promise<{ socialSetId: string }> {
  return deps.db.transaction().execute(async (trx) => {
    await accountOrRefusal(trx, input.accountId, { lock: true })
    return addSocialSet(trx, deps, input)
  })
}

/** The same in the caller's transaction, which holds the account's lock or has created the account. */
export async function addSocialSet(
  trx: DatabaseTransaction,
  deps: ConnectSandboxDeps,
  input: CreateSocialSetInput,
): Promise<{ socialSetId: string }> {
  const name = readName(input.name, 'A social set')
  const timezone = readTimezone(input.timezone)
  const socialSetId = newId()
  await insertSocialSet(trx, { id: socialSetId, accountId: input.accountId, name, timezone })
  if (input.sandbox) await connectSandbox(trx, deps, { accountId: input.accountId, socialSetId, name })
  return { socialSetId }
}

/**
 * A name as it is stored, without surrounding spaces.
 *
 * @throws Refusal
 */
export function readName(text: string, what: string): string {
  const name = text.trim()
  const problem = nameProblem(name, what)
  if (problem !== null) throw new Refusal(problem)
  return name
}

/**
 * The name of a time zone in its usual spelling. Offsets such as +02:00 are refused: they have no daylight saving
 * time.
 *
 * @throws Refusal
 */
export function readTimezone(text: string): string {
  try {
    if (/^[A-Za-z]/.test(text)) return Temporal.Now.zonedDateTimeISO(text).timeZoneId
  } catch {
    // Said below.
  }
  throw new Refusal(`${text} is not a timezone. Use an IANA name such as Europe/Berlin.`)
}
