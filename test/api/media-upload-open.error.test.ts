import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { LIMITS } from '#contract'
import { type MediaApi, startMediaApi } from '../_util/api/media-api.ts'
import { type TusAnswer, type TusClient, tusClient } from '../_util/api/tus-client.ts'

/** How many uploads may be open, and what makes room. */

let api: MediaApi
let tus: TusClient
beforeAll(async () => {
  api = await startMediaApi({ plans: { FREE: { monthlyUploadBytes: 100_000, storageBytes: null } } })
  tus = clientOf(api.key)
})
afterAll(() => api.close())

const clientOf = (key: string) => tusClient(api.url, { authorization: `Bearer ${key}` })
const codeOf = ({ status, body }: TusAnswer) => [status, body.code]
const TOO_MANY = [429, 'media-upload:too_many_open']
const bytes = (count: number) => Buffer.alloc(count, 'a')
const inOwnSet = async () => ({ socialSetId: await api.newSocialSet() })
const MINUTE = 60_000

test('upload-07: a 21st is refused to who has begun the others, and to nobody else; one without a byte for an hour makes room', async () => {
  const place = await inOwnSet()
  const another = clientOf(await api.newKey())
  for (let open = 0; open < LIMITS.openUploads.each; open += 1) await tus.begun(place, 10)
  const refused = await tus.begin(place, 10)
  expect(codeOf(refused)).toEqual(TOO_MANY)
  expect(refused.headers['retry-after']).toBe('1')
  await tus.begun(await inOwnSet(), 10)
  const { path } = await another.begun(place, 10)
  await api.stage.advance(59 * MINUTE)
  expect(codeOf(await tus.begin(place, 10))).toEqual(TOO_MANY)
  await api.stage.advance(MINUTE + 1)
  await tus.begun(place, 10)
  // It goes on all the same.
  expect(await another.send(path, 0, bytes(10))).toMatchObject({ status: 204 })
})

test('upload-07: of a social set that is full each may begin a few', async () => {
  const place = await inOwnSet()
  const { perSocialSet, eachOfFull } = LIMITS.openUploads
  const { id } = await tus.begun(place, 10)
  await sql`
    insert into media_uploads (id, account_id, social_set_id, status, reserved_bytes, received_at, begun_by, begun_by_name)
    select gen_random_uuid(), account_id, social_set_id, 'RECEIVING', 1, almanac_now(), gen_random_uuid(), 'Another'
    from media_uploads, generate_series(1, ${perSocialSet}) where id = ${id}`.execute(api.stage.db)
  for (let open = 1; open < eachOfFull; open += 1) await tus.begun(place, 10)
  const refused = await tus.begin(place, 10)
  expect(codeOf(refused)).toEqual(TOO_MANY)
  expect(refused.body.detail).toContain('100 uploads of this social set are open')
})

test('without a byte for an hour an upload keeps of the allowance what has arrived', async () => {
  const accountId = await api.newAccount()
  await api.stage.db.updateTable('accounts').set({ plan: 'FREE' }).where('id', '=', accountId).execute()
  const own = clientOf(await api.newKey({ accountId }))
  const place = { socialSetId: await api.newSocialSet(accountId) }
  const { path } = await own.begun(place, 90_000)
  await own.send(path, 0, bytes(10))
  expect(codeOf(await own.begin(place, 50_000))).toEqual([403, 'plan:upload_allowance_exceeded'])
  await api.stage.advance(60 * MINUTE + 1)
  await own.begun(place, 99_990)
  expect(codeOf(await own.begin(place, 1))).toEqual([403, 'plan:upload_allowance_exceeded'])
})
