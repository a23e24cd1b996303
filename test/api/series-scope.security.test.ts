import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PostSetStatus } from '#contract'
import type { Database } from '#persistence'
import { type Api, startApi } from '../_util/api/api.ts'
import { type Person, signInAs } from '../_util/api/members.ts'
import { anyRate, cardsOf, done } from '../_util/browser/dashboard-api.ts'
import { untilSomeoneWaits } from '../_util/run/waiting.ts'

let api: Api
let editor: Person
beforeAll(async () => {
  api = await startApi({ rate: anyRate })
  editor = await signInAs(api, 'editor')
})
afterAll(() => api.close())

const setStatus = (trx: Database, id: string, status: PostSetStatus) =>
  trx.updateTable('post_sets').set({ status }).where('id', '=', id).execute()

const series = async () => {
  const first = await api.create({ status: 'SCHEDULED', repeat: { interval: 'DAY', occurrences: 5 } })
  const cards = await cardsOf(api, editor, [['filters[series]', first.seriesId]])
  return { seriesId: first.seriesId as string, ids: cards.map(({ id }) => id) }
}

describe.each([
  ['/move', { scheduledAt: '2030-06-02T10:00:00Z', scope: 'all' }],
  ['/remove', { scope: 'all' }],
])('while a series is changed by %s', (path, body) => {
  const ask = (id: string) => editor.request('POST', `/post-sets/${id}${path}`, { body })
  /** How many sets were changed, and those that stayed. */
  const changed = ({ moved, removed, left }: Record<string, { id: string }[]>) => [(moved ?? removed)?.length, left]

  test('a set of it that begins to publish stays as it is', async () => {
    const { ids } = await series()
    const [first = '', second = ''] = ids
    const { asked } = await api.db.transaction().execute(async (trx) => {
      await setStatus(trx, second, 'PUBLISHING')
      const waiting = ask(first)
      await untilSomeoneWaits(api.db)
      return { asked: waiting }
    })
    expect(changed(await done(asked))).toEqual([
      4,
      [{ id: second, why: expect.objectContaining({ message: 'It is being published.' }) }],
    ])
  })

  test('so does one of a series that the named set has just become part of', async () => {
    const { seriesId, ids } = await series()
    const last = ids[4] ?? ''
    const { id } = await api.create({ status: 'SCHEDULED' })
    const { asked } = await api.db.transaction().execute(async (publishing) => {
      await setStatus(publishing, last, 'PUBLISHING')
      const { asked: waiting } = await api.db.transaction().execute(async (joining) => {
        await joining.updateTable('post_sets').set({ series_id: seriesId }).where('id', '=', id).execute()
        const first = ask(id)
        await untilSomeoneWaits(api.db)
        return { asked: first }
      })
      await untilSomeoneWaits(api.db)
      return { asked: waiting }
    })
    expect(changed(await done(asked))).toEqual([
      5,
      [{ id: last, why: expect.objectContaining({ message: 'It is being published.' }) }],
    ])
  })
})
