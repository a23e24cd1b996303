import { CannotOpenError, type SecretBox } from '#domain'
import {
  addFact,
  type Database,
  type DatabaseTransaction,
  lockIdentitiesSealedOtherwise,
  lockInstallation,
  readFact,
  replaceFact,
  resealIdentity,
} from '#persistence'
import { placeOfIdentity } from '../connections/credentials.ts'
import { Refusal } from '../refusal.ts'

const FACT = 'secret-key-check'
const PLACE = `installation/${FACT}`

interface Check {
  keyId: string
  sealed: string
}

/** Whether the secret key is the one that the database was written with; `none` before the first start. */
export async function secretKeyFits(db: Database, box: SecretBox): Promise<'fits' | 'none' | 'other'> {
  const check = (await readFact(db, FACT)) as Check | undefined
  if (!check) return 'none'
  return opens(box, check) ? 'fits' : 'other'
}

/**
 * Checks that the secret key fits the database, and writes the check value on the first start. When the check value is
 * sealed with an older key of ours, every secret is sealed anew with the first one, and the check value last: the older
 * key may be left out as soon as that is done, and not a moment earlier.
 *
 * @throws Refusal
 */
export async function checkSecretKey(db: Database, box: SecretBox): Promise<{ resealed: number }> {
  const found = (await readFact(db, FACT)) as Check | undefined
  if (!found) {
    if (await addFact(db, FACT, newCheck(box))) return { resealed: 0 }
    return checkSecretKey(db, box)
  }
  if (!opens(box, found)) {
    throw new Refusal(
      'The secret key does not fit the database: stored tokens cannot be read with it. Set ALMANAC_SECRET_KEY to the key that this database was started with, or put back its file secret-key in the data directory.',
    )
  }
  if (found.keyId === box.keyId) return { resealed: 0 }
  return db.transaction().execute(async (trx) => {
    await lockInstallation(trx)
    const resealed = await resealAll(trx, box)
    await replaceFact(trx, FACT, newCheck(box))
    return { resealed }
  })
}

async function resealAll(trx: DatabaseTransaction, box: SecretBox): Promise<number> {
  let resealed = 0
  for (;;) {
    const some = await lockIdentitiesSealedOtherwise(trx, box.keyId, { limit: 500 })
    if (some.length === 0) return resealed
    for (const { id, secret, secretKeyId } of some) {
      const place = placeOfIdentity(id)
      const sealed = box.seal(box.open({ bytes: secret, keyId: secretKeyId }, place), place)
      await resealIdentity(trx, id, { secret: sealed.bytes, secretKeyId: sealed.keyId })
    }
    resealed += some.length
  }
}

function newCheck(box: SecretBox): Check {
  const sealed = box.seal(Buffer.from('almanac'), PLACE)
  return { keyId: sealed.keyId, sealed: sealed.bytes.toString('base64') }
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
