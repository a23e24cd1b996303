import { afterEach, expect, test } from 'vitest'
import { type Answers, openRestarts, type Restarts } from '../_util/engine/restarts.ts'
import { published } from '../_util/engine/scripted-network.ts'

/** Workers are killed, and others see at once that they are gone. */

let restarts: Restarts | undefined
afterEach(async () => {
  await restarts?.close()
})

/** So many workers that are killed together, when each has come to a call that is never answered. */
async function killed(answers: Answers, { workers = 1, step }: { workers?: number; step: keyof Answers }) {
  restarts = await openRestarts(answers, { perConnection: 1, slots: 10, slotsPerNetwork: 1 })
  const { engine, calls, start, kill } = restarts
  const sets: string[] = []
  const started = await Promise.all(Array.from({ length: workers }, start))
  for (let nth = 1; nth <= workers; nth++) {
    const { socialSetId } = await engine.newAccount()
    sets.push(await engine.schedule({ socialSetId }))
    await expect.poll(() => calls.filter((call) => call === step).length, { timeout: 10_000 }).toBe(nth)
  }
  await Promise.all(started.map(kill))
  return { ...restarts, sets }
}
const results = async ({ engine, sets }: { engine: Restarts['engine']; sets: string[] }) =>
  (await Promise.all(sets.map((set) => engine.set(set)))).map(({ results: [result] }) => result?.status)

test('what was before its fence goes on as soon as another worker is ready', async () => {
  const scene = await killed(
    { prepare: ['never', 'never', { kind: 'ready' }], publish: [published], find: [{ kind: 'absent' }] },
    { workers: 2, step: 'prepare' },
  )
  await scene.start()
  await expect.poll(() => results(scene), { timeout: 10_000 }).toEqual(['POSTED', 'POSTED'])
  expect(scene.calls.filter((call) => call === 'publish')).toHaveLength(2)
})

test('what was past its fence is looked up as soon as another worker is ready', async () => {
  const scene = await killed({ publish: ['never'], find: [{ ...published, kind: 'found' }] }, { step: 'publish' })
  await scene.start()
  await expect.poll(() => results(scene), { timeout: 10_000 }).toEqual(['POSTED'])
  expect(scene.calls).toEqual(['prepare', 'publish', 'find'])
})

test('its absence is no proof before the lease is over', async () => {
  const scene = await killed({ publish: ['never', published], find: [{ kind: 'absent' }] }, { step: 'publish' })
  const [set = ''] = scene.sets
  const fencedAt = (await scene.engine.delivery(set)).fenced_at?.getTime() ?? 0
  await scene.start()
  await expect.poll(() => scene.calls, { timeout: 10_000 }).toContain('find')
  await expect
    .poll(async () => (await scene.engine.delivery(set)).next_at.getTime() - fencedAt, { timeout: 10_000 })
    .toBeGreaterThanOrEqual(40_000)
  expect(await scene.engine.delivery(set)).toMatchObject({ state: 'LOOKING_UP', attempts: 0 })
})

test('a refresh of a worker that was killed goes on as soon as another one is ready', async () => {
  const expired = { kind: 'reconnect', mayRefresh: true, message: 'Expired.' } as const
  const refreshed = { kind: 'refreshed', credentials: { token: 'two' }, expiresAt: null } as const
  const scene = await killed(
    {
      ...{ prepare: [expired, expired, { kind: 'ready' }], publish: [published], find: [{ kind: 'absent' }] },
      refresh: ['never', refreshed],
    },
    { step: 'refresh' },
  )
  await scene.start()
  await expect.poll(() => results(scene), { timeout: 10_000 }).toEqual(['POSTED'])
  expect(scene.calls.filter((call) => call === 'refresh')).toHaveLength(2)
})
