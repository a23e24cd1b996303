import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Answer, type FaultStage, openFaultStage, PROCESS_NAMES } from '../_util/faults/database-faults.ts'

/**
 * What happens to the database, and what clients of each process see of it: the table in docs/operating.md. The same
 * again and again is in database-faults.long.test.ts.
 */

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

let stage: FaultStage
beforeAll(async () => {
  stage = await openFaultStage(process.env.ALMANAC_TESTED_CHECKOUT)
})
afterAll(() => stage.close())

/** Answers of requests while something passes: what works, 503 as declared, and 429 for too many of them meanwhile. */
function expectHonest(answers: readonly Answer[]): void {
  expect(answers.length).toBeGreaterThan(0)
  const kinds = new Set(answers.map(({ status, code, body }) => `${status} ${code ?? body.error ?? ''}`))
  for (const kind of kinds)
    expect(['200 ', '201 ', '429 rate-limit:exceeded', '503 service:unavailable']).toContain(kind)
  for (const answer of answers.filter(({ status }) => status === 503)) expectUnavailable(answer)
}

function expectUnavailable({ status, code, retryAfter }: Answer): void {
  expect({ status, code, retryAfter }).toEqual({ status: 503, code: 'service:unavailable', retryAfter: '5' })
}

/** While a fault lasts, at every process: alive, and not ready, with the reason. What it knew counts for a second. */
async function expectNotReady(problem: string): Promise<void> {
  const look = () =>
    PROCESS_NAMES.map(async (name) => {
      const [live, ready] = await Promise.all([stage.health(name, '/healthz'), stage.health(name, '/readyz')])
      const reported = (answer: Answer) => (answer.body.problems as string[]).includes(problem)
      return [name, live.status, live.body.status, reported(live), ready.status, ready.body.status, reported(ready)]
    })
  const wanted = PROCESS_NAMES.map((name) => [name, 200, 'ok', true, 503, 'unavailable', true])
  await expect.poll(() => Promise.all(look()), { timeout: 10_000, interval: 200 }).toEqual(wanted)
}

/** Every process lives, is ready, and posts go out. */
async function expectHealed(): Promise<void> {
  await stage.untilReady()
  await stage.publishOne()
  for (const name of PROCESS_NAMES) {
    expect(stage.processes[name].process.exitCode, stage.processes[name].stderr()).toBeNull()
  }
}

test('connections that are killed while they are in use end no process', async () => {
  await stage.untilReady()
  const load = stage.load()
  for (let round = 0; round < 2; round += 1) {
    await stage.publishOne()
    expect(await stage.server.killBackends()).toBeGreaterThan(3)
  }
  expectHonest(await load.stop())
  await expectHealed()
  await expect.poll(stage.wrongEdits, { timeout: 60_000, interval: 500 }).toEqual([])
})

test.each([
  ['is restarted', () => stage.server.restart()],
  ['crashes and repairs itself', () => stage.server.crash()],
])('a server that %s under load ends no process', async (_, restart) => {
  const load = stage.load()
  await restart()
  expectHonest(await load.stop())
  await expectHealed()
})

const someBody = () => ({
  socialSetId: stage.socialSetId,
  scheduledAt: '2030-06-01T10:00:00Z',
  status: 'DRAFT',
  approval: 'NONE',
  // More than fits into the room that is left in the files of tables.
  posts: [{ accountType: 'BLUESKY', caption: 'x'.repeat(20_000), media: [] }],
})

test('while a server stands still, every request is answered', async () => {
  const load = stage.load()
  await stage.server.freeze()
  try {
    const asked = (['api', 'up'] as const).flatMap((name) => [
      stage.ask(name, 'GET', '/v1/social-sets'),
      stage.ask(name, 'POST', '/v1/post-sets', { body: someBody() }),
      stage.ask(name, 'POST', '/internal/session', { body: { email: 'anna@example.com', password: 'wrong password' } }),
    ])
    for (const answer of await Promise.all(asked)) expectUnavailable(answer)
    await expectNotReady('The database does not answer.')
  } finally {
    stage.server.thaw()
  }
  expectHonest(await load.stop())
  await expectHealed()
})

test('while the disk of the database is full, what is read is answered and what is written is 503', async (context) => {
  if (!stage.server.canFillDisk) return context.skip('A disk that can be filled is mounted by root alone.')
  await stage.server.fillDisk()
  try {
    await expectNotReady("The disk of Almanac's database is full.")
    for (const name of ['api', 'up'] as const) {
      expect((await stage.ask(name, 'GET', '/v1/social-sets')).status).toBe(200)
      // Tables have some room left.
      let answer = await stage.ask(name, 'POST', '/v1/post-sets', { body: someBody() })
      for (let tries = 0; answer.status === 201 && tries < 200; tries += 1) {
        answer = await stage.ask(name, 'POST', '/v1/post-sets', { body: someBody() })
      }
      expectUnavailable(answer)
      expect(answer.body.detail).toBe("The disk of Almanac's database is full. Try again in 5 seconds.")
    }
  } finally {
    await stage.server.emptyDisk()
  }
  await expectHealed()
})

test('nothing of all this was published twice', async () => {
  const published = await stage.published()
  expect([...published].filter(([, count]) => count > 1)).toEqual([])
  expect(stage.accepted.size).toBeGreaterThan(0)
})
