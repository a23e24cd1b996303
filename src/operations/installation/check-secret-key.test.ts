import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSecretBox, newId } from '#domain'
import { type Database, insertAccount, insertIdentity, openDatabase, readSealedIdentity } from '#persistence'
import { createDatabase } from '../../../test/_util/database.ts'
import { createCredentialBox } from '../connections/credentials.ts'
import { Refusal } from '../refusal.ts'
import { checkSecretKey, secretKeyFits } from './check-secret-key.ts'

let database: { url: string; drop(): Promise<void> }
let db: Database

beforeAll(async () => {
  database = await createDatabase()
  db = openDatabase(database.url)
})
afterAll(async () => {
  await db.destroy()
  await database.drop()
})

const one = randomBytes(32)
const two = randomBytes(32)

test('the first key stays the key; another one is refused; a new one in front takes over', async () => {
  expect(await secretKeyFits(db, createSecretBox([one]))).toBe('none')
  const starts = await Promise.all([1, 2, 3].map(() => checkSecretKey(db, createSecretBox([one]))))
  expect(starts).toEqual([{ resealed: 0 }, { resealed: 0 }, { resealed: 0 }])
  expect(await secretKeyFits(db, createSecretBox([one]))).toBe('fits')
  await expect(checkSecretKey(db, createSecretBox([two]))).rejects.toThrow(Refusal)
  expect(await secretKeyFits(db, createSecretBox([two]))).toBe('other')

  const accountId = newId()
  const id = newId()
  await insertAccount(db, { id: accountId, name: 'Test', slug: accountId, plan: 'SCALE' })
  await insertIdentity(db, {
    id,
    accountId,
    network: 'scripted',
    externalId: 'me',
    sandbox: false,
    endpoints: {},
    expiresAt: null,
    ...createCredentialBox(createSecretBox([one])).seal(id, { token: 'secret' }),
  })

  const rotated = createSecretBox([two, one])
  const both = await Promise.all([checkSecretKey(db, rotated), checkSecretKey(db, rotated)])
  expect(both.map(({ resealed }) => resealed).sort()).toEqual([0, 1])
  const alone = createSecretBox([two])
  expect(await checkSecretKey(db, alone)).toEqual({ resealed: 0 })
  const stored = await readSealedIdentity(db, id, { lock: false })
  if (!stored?.secret || !stored.secretKeyId) throw new Error('No secret.')
  const sealed = { secret: stored.secret, secretKeyId: stored.secretKeyId }
  expect(createCredentialBox(alone).open(id, sealed)).toEqual({ token: 'secret' })
  await expect(checkSecretKey(db, createSecretBox([one]))).rejects.toThrow(/secret key does not fit/)
})
