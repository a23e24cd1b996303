import { afterEach, expect, test, vi } from 'vitest'
import type { AccountType } from '#contract'
import { isRead, loadChecks, loadNetworks, type Network } from '#networks'
import type { Trouble } from '../../src/networks/conformance/delivery.ts'
import { answer, lost, openStage, type Stage } from '../../src/networks/kit/testing.ts'
import { checkPost } from '../../src/operations/networks/check-post.ts'
import { type CheckedStep, openCheck } from '../../src/operations/networks/check-steps.ts'

/** The test post of a check, against the simulators: what is published, looked up, deleted and reported. */

vi.setConfig({ testTimeout: 60_000 })

const networks = await loadNetworks()
const stages: Stage[] = []
afterEach(async () => {
  for (const stage of stages.splice(0)) await stage.close()
})

/** A file where a post needs one, and what the sandbox lets a program do to the post. */
const POSTS: Readonly<Record<AccountType, { file?: string; deletes: boolean; looksUp?: false }>> = {
  BLUESKY: { deletes: true },
  FACEBOOK: { deletes: true },
  GMB: { deletes: true },
  INSTAGRAM: { file: 'photo.jpg', deletes: false },
  LINKEDIN_PAGE: { deletes: true },
  LINKEDIN_PERSONAL: { deletes: true, looksUp: false },
  PINTEREST: { file: 'photo.jpg', deletes: true },
  THREADS: { deletes: false },
  TIKTOK: { file: 'video-h264-aac.mp4', deletes: false },
  TWITTER: { deletes: true },
  YOUTUBE: { file: 'video-short.mp4', deletes: false },
}

interface Checked {
  stage: Stage
  steps: CheckedStep[]
  results: Readonly<Record<string, string>>
  progress: string[]
  questions: string[]
  /** Asks what the folder asks, after some time. */
  probe(): Promise<CheckedStep[]>
}

async function check(
  accountType: AccountType,
  {
    file,
    mayPublish = true,
    trouble,
    keeps = false,
  }: { file?: string; mayPublish?: true | string; trouble?: (stage: Stage) => Trouble; keeps?: boolean } = {},
): Promise<Checked> {
  const network = networks.serving(accountType) as Network
  const stage = await openStage(network, accountType, { base: '' })
  stages.push(stage)
  const { backend, media, clock } = stage.world
  const context = stage.context(trouble?.(stage))
  const checks = await loadChecks(network)
  if (!checks) throw new Error(`${network.manifest.title} declares no checks.`)
  const { remove: _, ...withoutRemoval } = checks
  const steps: CheckedStep[] = []
  const progress: string[] = []
  const questions: string[] = []
  const checking = openCheck(
    {
      deps: {
        networks,
        now: clock.now,
        httpFor: () => context.http,
        endpoint: (_, name) => context.endpoint(name),
        setting: (_, name) => context.setting(name),
        pause: async (ms) => stage.pass(ms),
      } as Partial<Parameters<typeof openCheck>[0]['deps']> as Parameters<typeof openCheck>[0]['deps'],
      input: {
        network: network.manifest.name,
        connectionId: null,
        mediaId: file ? 'a-file' : null,
        async mayPublish(question) {
          questions.push(question)
          return mayPublish
        },
        progress: (line) => progress.push(line),
      },
      network,
      checks: keeps ? withoutRemoval : checks,
      connection: {
        id: 'connection-1',
        accountType,
        identityId: 'identity-1',
        sandbox: true,
        name: 'Corner Bakery',
        username: backend.account.username,
        defaults: backend.account.defaults,
      },
      identity: {
        id: 'identity-1',
        network: network.manifest.name,
        externalId: backend.account.externalId,
        sandbox: true,
        endpoints: {},
        secret: null,
        secretKeyId: null,
        expiresAt: null,
        refreshedAt: null,
        refresh: 'none',
        refreshOwner: null,
      },
    },
    backend.credentials,
    steps,
  )
  await checkPost(checking, file ? await media.of([{ file, altText: 'A test' }]) : [])
  const results = Object.fromEntries(steps.map(({ name, result }) => [name, result]))
  return {
    stage,
    steps: [...steps],
    results,
    progress,
    questions,
    async probe() {
      stage.pass(60_000)
      stage.sent.length = steps.length = 0
      for (const probe of checks.probes) {
        if (probe.accountTypes?.includes(accountType) ?? true) {
          await checking.step(probe, () => probe.ask(checking.look()))
        }
      }
      return steps
    },
  }
}

test.each(Object.keys(POSTS) as AccountType[])(
  '%s: a test post is published, found and deleted, and the report names no one',
  async (accountType) => {
    const { file, deletes, looksUp = true } = POSTS[accountType]
    const { stage, steps, results, progress, questions } = await check(accountType, file ? { file } : {})
    expect(steps.filter(({ result }) => result === 'differs')).toEqual([])
    expect(results).toEqual({
      upload: 'works as documented',
      publish: 'works as documented',
      lookup: looksUp ? 'works as documented' : 'not tried',
      delete: deletes ? 'works as documented' : 'not tried',
    })
    expect(await stage.posts()).toHaveLength(1)
    expect(questions).toEqual([
      expect.stringMatching(deletes ? /Corner Bakery.*It is deleted right after/ : /Corner Bakery.*by hand/),
    ])
    // The operator alone hears where the post is, and how it is deleted where no program can.
    expect(progress.slice(0, 2)).toEqual([
      expect.stringMatching(/^Publishing "A test of/),
      expect.stringMatching(/^The test post (is at http|may be public)/),
    ])
    expect(progress.some((line) => /by hand/.test(line))).toBe(!deletes)
    const { account, credentials } = stage.world.backend
    const secrets = Object.entries(credentials).filter(([name]) => /token|jwt/i.test(name))
    const report = JSON.stringify(steps)
    for (const hidden of [
      account.externalId,
      account.username ?? 'Corner Bakery',
      ...secrets.map(([, secret]) => secret),
    ]) {
      expect(report).not.toContain(hidden)
    }
  },
)

/** Answers of this one get new keys at any time, in its simulator too. */
const MAY_GROW: AccountType = 'GMB'
/** Asks what publishing asks, so it does not count as a read; it changes nothing. */
const ASKS = /\/creator_info\/query\/$/

test.each(Object.keys(POSTS) as AccountType[])(
  '%s: what else is asked only reads, and finds the keys that are documented in posts that are there',
  async (accountType) => {
    const { file } = POSTS[accountType]
    const { stage, probe } = await check(accountType, { keeps: true, ...(file ? { file } : {}) })
    const steps = await probe()
    const tried = steps.filter(({ result, name }) => result !== 'not tried' && name !== 'token')
    expect(tried.length).toBeGreaterThan(0)
    expect(tried.map(({ name, result, missingKeys }) => [name, result, missingKeys])).toEqual(
      tried.map(({ name }) => [name, 'works as documented', []]),
    )
    if (accountType !== MAY_GROW) expect(tried.flatMap(({ unknownKeys }) => unknownKeys)).toEqual([])
    expect(stage.sent.filter((request) => !isRead(request) && !ASKS.test(request.url))).toEqual([])
    expect(await stage.posts()).toHaveLength(1)
  },
)

test('without permission nothing is sent, and with a file it is uploaded only', async () => {
  const none = await check('TWITTER', { mayPublish: 'Publishing was declined.' })
  expect(none.stage.sent).toEqual([])
  expect(none.steps.map(({ result, detail }) => [result, detail])).toEqual(
    Array.from({ length: 4 }, () => ['not tried', 'Publishing was declined.']),
  )
  const uploaded = await check('TWITTER', { mayPublish: 'Publishing was declined.', file: 'photo.jpg' })
  expect(uploaded.results).toMatchObject({ upload: 'works as documented', publish: 'not tried', delete: 'not tried' })
  expect(uploaded.stage.calls('POST /api/2/tweets')).toEqual([])
  expect(await uploaded.stage.posts()).toEqual([])
})

test('a post that needs a file is not tried without one', async () => {
  const { steps, stage, questions } = await check('INSTAGRAM')
  expect(steps.map(({ detail }) => detail)).toEqual(Array.from({ length: 4 }, () => expect.stringContaining('--media')))
  expect([stage.sent, questions]).toEqual([[], []])
})

test('when the answer is lost the post is sent once, found in the listing and deleted', async () => {
  const { stage, results, steps, progress } = await check('TWITTER', {
    trouble: (on) => on.on('POST /api/2/tweets', lost, { reached: true }),
  })
  expect(stage.calls('POST /api/2/tweets')).toHaveLength(1)
  expect(results).toMatchObject({ publish: 'differs', lookup: 'works as documented', delete: 'works as documented' })
  expect(steps[1]?.detail).toMatch(/not known/)
  expect(progress[1]).toBe('The test post may be public.')
})

test('a network that asks for fewer requests is asked nothing more', async () => {
  const { stage, steps, results } = await check('TWITTER', {
    trouble: (on) => on.on('POST /api/2/tweets', answer(429, { title: 'Too Many Requests' }), { times: 9 }),
  })
  expect(steps[1]?.calls.map(({ asked, status }) => [asked, status])).toEqual([['POST api/2/tweets', 429]])
  expect(results).toMatchObject({ publish: 'not tried', lookup: 'not tried', delete: 'not tried' })
  expect(stage.calls('DELETE /api/2/tweets/{id}')).toEqual([])
  expect(await stage.posts()).toEqual([])
})

test('a read that is refused for the number of requests ends all asking as well', async () => {
  const { stage, probe, results } = await check('TWITTER', {
    mayPublish: 'No.',
    trouble: (on) => on.on('GET /api/2/users/me', answer(429, { title: 'Too Many Requests' })),
  })
  const steps = await probe()
  expect(results.publish).toBe('not tried')
  expect(steps.map(({ name, result }) => [name, result])).toEqual([
    ['account', 'not tried'],
    ['posts', 'not tried'],
    ['posts, older names', 'not tried'],
  ])
  expect(steps[1]?.detail).toMatch(/asks for fewer requests/)
  expect(stage.sent).toEqual([])
})

test('what is refused for good is not sent again', async () => {
  const refusal = answer(403, {
    title: 'Forbidden',
    detail: 'You are not permitted to perform this action.',
    status: 403,
  })
  const { stage, steps, results } = await check('TWITTER', { trouble: (on) => on.on('POST /api/2/tweets', refusal) })
  expect(results).toEqual({
    upload: 'works as documented',
    publish: 'differs',
    lookup: 'not tried',
    delete: 'not tried',
  })
  expect(steps[1]?.calls).toMatchObject([{ asked: 'POST api/2/tweets', status: 403 }])
  expect(await stage.posts()).toEqual([])
})
