import { DAY_MS } from '#contract/durations'
import { CannotOpenError, type SecretBox } from '#domain'
import { addFact, countSealedOtherwise, type Database, lockInstallation, readFact, replaceFact } from '#persistence'
import { Refusal } from '../refusal.ts'
import { keyNamesOf, reseal, type Unreadable } from './reseal.ts'

/** The fact with which a start checks whether the secret key belongs to the database. */
export const SECRET_KEY_FACT = 'secret-key-check'
const PLACE = `installation/${SECRET_KEY_FACT}`
/** How long what an older key has signed is accepted while that key is set: a session that is not used. */
const SIGNED_MS = 30 * DAY_MS

interface Check {
  keyId: string
  sealed: string
  /** Keys that were the first one before, and when that ended; absent in installations that had one key only. */
  replaced?: { keyId: string; at: string }[]
}

/** What a start finds out about the keys. */
export interface SecretKeyCheck {
  /** Secrets that were sealed with an older key and are sealed with the first one now. */
  resealed: number
  /** Secrets that none of the keys opens. */
  unreadable: Unreadable
  /** Of a key that is not set any more although what it signed would still be accepted. */
  leftOutEarly: { replacedAt: Date; until: Date } | null
}

const NOTHING: SecretKeyCheck = {
  resealed: 0,
  unreadable: { identities: 0, networkApps: 0, secondSteps: 0 },
  leftOutEarly: null,
}

/**
 * Whether the secret key is the one that the database was written with (`none` before the first start), and what a
 * start would find; changes nothing.
 */
export async function inspectSecretKey(
  db: Database,
  box: SecretBox,
): Promise<Omit<SecretKeyCheck, 'resealed'> & { fit: 'fits' | 'none' | 'other' }> {
  const check = await readCheck(db)
  if (!check) return { ...NOTHING, fit: 'none' }
  const { identities, networkApps, secondSteps } = await countSealedOtherwise(db, keyNamesOf(box))
  const fit = opens(box, check) ? 'fits' : 'other'
  return { fit, unreadable: { identities, networkApps, secondSteps }, leftOutEarly: leftOutEarlyOf(check, box) }
}

/**
 * Checks that the secret key fits the database, and writes the check value on the first start. Everything encrypted
 * with a key other than the first is encrypted again with the first, including the check value: all in one
 * transaction, so that a process that dies in between changes nothing. Every start checks this, because a process
 * with another key in first place may have written meanwhile.
 *
 * @throws Refusal when the check value does not open
 */
export async function checkSecretKey(db: Database, box: SecretBox): Promise<SecretKeyCheck> {
  const found = await readCheck(db)
  if (!found) {
    if (await addFact(db, SECRET_KEY_FACT, newCheck(box, []))) return NOTHING
    return checkSecretKey(db, box)
  }
  if (!opens(box, found)) {
    throw new Refusal(
      'The secret key does not fit the database: stored tokens cannot be read with it. Set ALMANAC_SECRET_KEY to the key that this database was started with, or put back its file secret-key in the data directory. To change the key, set both: ALMANAC_SECRET_KEY=new,old.',
    )
  }
  const leftOutEarly = leftOutEarlyOf(found, box)
  const otherwise = await countSealedOtherwise(db, keyNamesOf(box).slice(0, 1))
  if (found.keyId === box.keyId && Object.values(otherwise).every((count) => count === 0)) {
    return { ...NOTHING, leftOutEarly }
  }
  return db.transaction().execute(async (trx) => {
    await lockInstallation(trx)
    const result = await reseal(trx, box)
    // As it is under the lock: another process may have done the same.
    const check = (await readCheck(trx)) ?? found
    if (check.keyId !== box.keyId) {
      const replaced = (check.replaced ?? []).filter(({ keyId }) => keyId !== box.keyId && keyId !== check.keyId)
      const now = new Date().toISOString()
      await replaceFact(trx, SECRET_KEY_FACT, newCheck(box, [{ keyId: check.keyId, at: now }, ...replaced].slice(0, 5)))
    }
    return { ...result, leftOutEarly }
  })
}

function leftOutEarlyOf({ replaced = [] }: Check, box: SecretBox): SecretKeyCheck['leftOutEarly'] {
  for (const { keyId, at } of replaced) {
    const replacedAt = new Date(at)
    const until = new Date(replacedAt.getTime() + SIGNED_MS)
    if (!box.keyIds.includes(keyId) && until.getTime() > Date.now()) return { replacedAt, until }
  }
  return null
}

const readCheck = async (db: Database) => (await readFact(db, SECRET_KEY_FACT)) as Check | undefined

function newCheck(box: SecretBox, replaced: NonNullable<Check['replaced']>): Check {
  const sealed = box.seal(Buffer.from('almanac'), PLACE)
  return { keyId: sealed.keyId, sealed: sealed.bytes.toString('base64'), replaced }
}

function opens(box: SecretBox, check: Check): boolean {
  try {
    box.open({ keyId: check.keyId, bytes: Buffer.from(check.sealed, 'base64') }, PLACE)
    return true
  } catch (error) {
    if (error instanceof CannotOpenError) return false
    throw error
  }
}
