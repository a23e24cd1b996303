import { expect, test } from 'vitest'
import { scriptedEngines } from '../_util/engine/scripted-engine.ts'
import { published, type Script } from '../_util/engine/scripted-network.ts'

const startEngine = scriptedEngines()
async function start(script: Script) {
  const started = await startEngine(script)
  return { ...started, set: await started.engine.schedule() }
}

const posted = { status: 'POSTED', providerId: expect.stringMatching(/^p\d+$/), permalink: 'https://example.test/p1' }
const warned = {
  ...posted,
  warnings: [{ code: 'post:follow_up_failed', message: expect.stringContaining('first comment') }],
}

test('the first comment is made after the post, with its id', async () => {
  const { engine, network, set } = await start({
    comment: [
      (attempt) => {
        expect(attempt.handles).toMatchObject({ providerId: expect.stringMatching(/^p\d+$/) })
        return published
      },
    ],
  })
  await engine.drain()
  expect(network.calls).toEqual(['prepare', 'publish', 'comment'])
  expect(await engine.set(set)).toEqual({ status: 'PUBLISHED', results: [posted] })
})

test('publish-14: a refused comment leaves the post POSTED, with a warning', async () => {
  const { engine, set } = await start({
    comment: [{ kind: 'refused', reason: 'ACTION_BLOCKED', message: 'Comments are off.' }],
  })
  await engine.drain()
  expect((await engine.set(set)).results).toEqual([warned])
})

test('what the network did not take of the post stands beside the comment that was refused', async () => {
  const warning = { code: 'post:alt_text_refused', message: 'No alternative text.' }
  const { engine, set } = await start({
    publish: [{ ...published, warnings: [warning] }],
    comment: [{ kind: 'refused', reason: 'ACTION_BLOCKED', message: 'Comments are off.' }],
  })
  await engine.drain()
  expect((await engine.set(set)).results).toEqual([{ ...warned, warnings: [warning, ...warned.warnings] }])
})

test('an unknown comment is looked up and not made twice', async () => {
  const { engine, network, set } = await start({
    comment: [{ kind: 'unknown', message: 'No answer.' }],
    findComment: [{ ...published, kind: 'found' }],
  })
  await engine.drain()
  await engine.advance(6_000)
  await engine.drain()
  expect(network.calls).toEqual(['prepare', 'publish', 'comment', 'findComment'])
  expect((await engine.set(set)).results).toEqual([posted])
})

test('a comment that certainly is not there is tried three times, then reported as a warning', async () => {
  const { engine, network, set } = await start({
    comment: [{ kind: 'unknown', message: 'No answer.' }],
    findComment: [{ kind: 'absent' }],
  })
  for (let round = 0; round < 8; round++) {
    await engine.drain()
    await engine.advance(30_000)
  }
  expect(network.calls.filter((call) => call === 'comment')).toHaveLength(3)
  expect(network.calls.filter((call) => call === 'publish')).toHaveLength(1)
  expect((await engine.set(set)).results).toEqual([warned])
})

test('a worker that died at the comment does not lose the post', async () => {
  const { engine, network, set } = await start({
    comment: [published],
    findComment: [{ kind: 'cannot-tell', message: 'No list.' }],
  })
  await engine.look()
  const { id } = await engine.delivery(set)
  await engine.db
    .updateTable('deliveries')
    .set({
      state: 'FOLLOW_UP_SENDING',
      place: 'UNDER_WAY',
      handles: JSON.stringify({ providerId: 'p1', permalink: 'https://example.test/p1' }),
      fenced_at: new Date(0),
      first_fenced_at: new Date(0),
    })
    .where('id', '=', id)
    .execute()
  for (let round = 0; round < 8; round++) {
    await engine.drain()
    await engine.advance(120_000)
  }
  expect(network.calls.every((call) => call === 'findComment')).toBe(true)
  expect((await engine.set(set)).results).toEqual([warned])
})

test('the result of a live post is not held back by a comment that has to wait for hours', async () => {
  const inHours = new Date(Date.now() + 5 * 3_600_000)
  const wait = {
    kind: 'retry',
    notBefore: inHours,
    from: 'publish',
    countsAsAttempt: false,
    message: 'The quota is used up.',
  } as const
  const { engine, set } = await start({ comment: [wait] })
  await engine.drain()
  const { status, results } = await engine.set(set)
  expect(status).toBe('PUBLISHED')
  expect(results[0]).toMatchObject({
    status: 'POSTED',
    warnings: [{ message: expect.stringContaining('The quota is used up.') }],
  })
})
