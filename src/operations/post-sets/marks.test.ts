import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '#domain'
import { type Actor, type Database, insertAccount, insertSocialSet, openDatabase } from '#persistence'
import { createDatabase } from '../../../test/_util/database/database.ts'
import { createLabel } from '../labels/create.ts'
import { Refusal } from '../refusal.ts'
import { labelPostSet } from './label.ts'
import { lockPostSet, unlockPostSet } from './lock.ts'

let database: { url: string; drop(): Promise<void> }
let db: Database
const accountId = newId()
const postSetId = newId()
const actor: Actor = { type: 'OPERATOR', id: null, name: 'operator' }

beforeAll(async () => {
  database = await createDatabase()
  db = openDatabase(database.url)
  const socialSetId = newId()
  await insertAccount(db, { id: accountId, name: 'Test', slug: 'test', plan: 'SCALE' })
  await insertSocialSet(db, { id: socialSetId, accountId, name: 'Brand', timezone: 'UTC' })
  await db
    .insertInto('post_sets')
    .values({
      id: postSetId,
      account_id: accountId,
      social_set_id: socialSetId,
      scheduled_at: new Date(),
      status: 'DRAFT',
      approval: 'NONE',
    })
    .execute()
})
afterAll(async () => {
  await db.destroy()
  await database.drop()
})

const read = () =>
  db
    .selectFrom('post_sets')
    .select(['locked_at', 'locked_by', 'version', 'content_version'])
    .where('id', '=', postSetId)
    .executeTakeFirstOrThrow()
const history = async () =>
  (
    await db.selectFrom('history').select('action').where('post_set_id', '=', postSetId).orderBy('sequence').execute()
  ).map(({ action }) => action)

test('publish-22: a lock is set and taken away once, with its author in history, and is no change of content', async () => {
  await lockPostSet({ db }, postSetId, actor)
  expect(await read()).toMatchObject({ locked_at: expect.any(Date), locked_by: 'operator', version: 2 })
  await lockPostSet({ db }, postSetId, actor)
  await unlockPostSet({ db }, postSetId, actor)
  await unlockPostSet({ db }, postSetId, actor)
  expect(await read()).toEqual({ locked_at: null, locked_by: null, version: 3, content_version: 1 })
  expect(await history()).toEqual(['locked', 'unlocked'])
})

test('a label is put on and taken off once, by id or by name', async () => {
  const label = await createLabel({ db }, { accountId, name: 'Autumn', color: '#ff8800' })
  const on = () => db.selectFrom('post_set_labels').select('label_id').execute()
  const mark = (name: string, remove: boolean) => labelPostSet({ db }, { postSetId, label: name, remove }, actor)
  const { version } = await read()
  await mark('Autumn', false)
  await mark(label.id, false)
  expect(await on()).toEqual([{ label_id: label.id }])
  await mark(label.id, true)
  await mark('Autumn', true)
  expect(await on()).toEqual([])
  expect(await read()).toMatchObject({ version: version + 2, content_version: 1 })
  expect((await history()).slice(-2)).toEqual(['label added', 'label removed'])
})

test('what does not exist is refused in words', async () => {
  await expect(lockPostSet({ db }, 'nonsense', actor)).rejects.toThrow(/no post set nonsense/)
  await expect(unlockPostSet({ db }, newId(), actor)).rejects.toThrow(Refusal)
  const other = newId()
  await insertAccount(db, { id: other, name: 'Other', slug: 'other', plan: 'SCALE' })
  const label = await createLabel({ db }, { accountId: other, name: 'Theirs', color: null })
  const input = { postSetId, label: label.id, remove: false }
  await expect(labelPostSet({ db }, input, actor)).rejects.toThrow(/has no label/)
  await expect(createLabel({ db }, { accountId: other, name: 'Theirs', color: null })).rejects.toThrow(/already/)
  await expect(createLabel({ db }, { accountId: other, name: 'X', color: 'red' })).rejects.toThrow(/#rrggbb/)
})
