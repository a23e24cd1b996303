import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Database } from '#persistence'
import { newKeyedClient } from '../_util/keyed-requests.ts'
import { openKilledApi } from '../_util/killed-api.ts'

/** A hundred post sets in one request, whose process is killed again and again: repeated under its key, each is made once. */

const COUNT = 100

const captionsIn = async (db: Database) =>
  (await db.selectFrom('posts').select('caption').execute()).map(({ caption }) => caption).toSorted()

test.each(['EACH', 'ATOMIC'] as const)(
  '%s',
  async (mode) => {
    await using closing = new AsyncDisposableStack()
    const { db, socialSetId, killAndStart, ...api } = await openKilledApi(closing, {
      name: 'Month',
      scopes: ['post-sets:write'],
    })
    const ask = newKeyedClient(api)
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
