import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { newId } from '#domain'
import { createKey } from '#operations'
import { type Database, insertAccount, insertSocialSet, openDatabase } from '#persistence'
import { makeDataDir, startAlmanac, withPlans } from '../_util/app.ts'
import { createDatabase } from '../_util/database.ts'
import { newKeyedClient } from '../_util/keyed-requests.ts'
import { freePort } from '../_util/ports.ts'

/** A hundred post sets in one request, whose process is killed again and again: repeated under its key, each is made once. */

const COUNT = 100

async function open(closing: AsyncDisposableStack) {
  const dataDir = await makeDataDir()
  closing.defer(() => dataDir.remove())
  const database = await createDatabase()
  closing.defer(() => database.drop())
  const settings = {
    ALMANAC_DATA_DIR: dataDir.path,
    DATABASE_URL: database.url,
    ALMANAC_SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
    ALMANAC_PORT: await freePort(),
    ALMANAC_LOG_LEVEL: 'error',
    ...(await withPlans(dataDir.path, { SCALE: { requestsPerSecond: 1_000_000, monthlyPosts: null } })),
  }
  const start = () => startAlmanac({ process: 'api', settings })
  let almanac = await start()
  closing.defer(async () => {
    await almanac.stop()
  })
  const db = openDatabase(database.url, { poolSize: 2 })
  closing.defer(() => db.destroy())
  const [accountId, socialSetId] = [newId(), newId()]
  await insertAccount(db, { id: accountId, name: 'Month', slug: accountId, plan: 'SCALE' })
  await insertSocialSet(db, { id: socialSetId, accountId, name: 'Month', timezone: 'UTC' })
  const { key } = await createKey({ db }, { accountId, name: 'Month', scopes: ['post-sets:write'], socialSetIds: null })
  async function killAndStart(): Promise<void> {
    almanac.signal('SIGKILL')
    await almanac.ended
    almanac = await start()
  }
  return { db, socialSetId, ask: newKeyedClient({ url: almanac.url, key }), killAndStart }
}

const captionsIn = async (db: Database) =>
  (await db.selectFrom('posts').select('caption').execute()).map(({ caption }) => caption).toSorted()

test.each(['EACH', 'ATOMIC'] as const)(
  '%s',
  async (mode) => {
    await using closing = new AsyncDisposableStack()
    const { db, socialSetId, ask, killAndStart } = await open(closing)
    const captions = Array.from({ length: COUNT }, (_, at) => `Set ${String(at).padStart(3, '0')}`)
    const postSets = captions.map((caption) => ({
      ...{ socialSetId, scheduledAt: '2030-06-01T10:00:00Z', status: 'DRAFT', approval: 'NONE' },
      posts: [{ accountType: 'BLUESKY', caption, media: [] }],
    }))
    const send = () =>
      ask({ method: 'POST', path: '/v1/post-sets/bulk', body: { mode, postSets }, key: 'a month' }).catch(() => null)

    let lost = 0
    const made: number[] = []
    for (const wanted of [1, 20, 45, 70, 95]) {
      const answer = send()
      // EACH is killed when so many are there; ATOMIC while none can be.
      if (mode === 'EACH') while ((await captionsIn(db)).length < wanted) await pause(1)
      else await pause(wanted)
      await killAndStart()
      if ((await answer) === null) lost += 1
      made.push((await captionsIn(db)).length)
    }
    expect(lost).toBeGreaterThan(1)
    if (mode === 'ATOMIC') expect(made.every((count) => count === 0 || count === COUNT)).toBe(true)
    else expect(made).toEqual(made.toSorted((a, b) => a - b))

    let answer = await send()
    // What was under way when the process died is looked at again after a while.
    while (answer === null || answer.status === 409) {
      await pause(200)
      answer = await send()
    }
    const { data } = JSON.parse(answer.text)
    expect(data.map(({ status }: { status: string }) => status)).toEqual(captions.map(() => 'CREATED'))
    expect(await captionsIn(db)).toEqual(captions)
    const ids = data.map(({ postSet }: { postSet: { id: string } }) => postSet.id)
    const again = JSON.parse((await send())?.text ?? '')
    expect(again.data.map(({ postSet }: { postSet: { id: string } }) => postSet.id)).toEqual(ids)
    expect(await captionsIn(db)).toEqual(captions)
  },
  300_000,
)
