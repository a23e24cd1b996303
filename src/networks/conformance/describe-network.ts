import { Agent } from 'undici'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { HOUR_MS } from '#contract/durations'
import { crossed, part, WHOLE } from '../../../test/_util/run/whole.ts'
import { FAULTS, type FaultName, faultNames } from '../kit/faults.ts'
import { createHttp } from '../kit/http.ts'
import { lost, page } from '../kit/testing.ts'
import { type Delivered, deliver, type Ending } from './deliver.ts'
import { createClock, type Delivery, type Exchange, openDelivery, type Trouble, type World } from './delivery.ts'
import { describeClocks } from './describe-clocks.ts'
import { describeFilms, measureUpload } from './describe-films.ts'
import { describeReads } from './describe-reads.ts'
import { describeSignIn } from './describe-sign-in.ts'
import { describeStories } from './describe-stories.ts'
import { describeTexts } from './describe-texts.ts'
import { describeThread } from './describe-thread.ts'
import type { ConformanceHarness, HeldPost, Sample } from './harness.ts'
import { closedOrigin } from './listen.ts'
import { postsOf } from './made.ts'
import { openSampleMedia } from './media.ts'
import { describeData } from './network-data.ts'
import { LOST_ANSWERS, lostOnce, MANY, once, untilSpared } from './trouble.ts'

/** What a passing fault leads to first; all others are unknown. */
const FIRST_OUTCOME: Partial<Record<FaultName, string>> = { 'rate-limited': 'retry', 'token-expired': 'reconnect' }

/**
 * The suite that every network runs, against its simulator and against whatever real server there is. It drives the
 * connector as the engine does and asks the network what it holds: each post at most once, and an honest result.
 */
export function describeNetwork(name: string, harness: ConformanceHarness): void {
  describe(name, () => {
    describeData(harness)
    for (const facts of harness.signIns ?? []) describeSignIn(harness.network, facts)
    describeDeliveries(harness)
  })
}

function describeDeliveries(harness: ConformanceHarness): void {
  const { network, samples, optOut = {} } = harness
  const [first] = samples
  let world: World
  let agent: Agent
  let number = 0
  /** Posts of the tests before. */
  const old = new Set<string>()

  beforeAll(async () => {
    const clock = createClock()
    const backend = await harness.start({ now: clock.now })
    agent = new Agent()
    const http = createHttp({ trustedOrigins: new Set(), plain: agent, guarded: agent })
    const { preview } = harness
    world = { network, backend, media: await openSampleMedia(), http, clock, ...(preview ? { preview } : {}) }
  })
  afterAll(async () => {
    await world?.media.close()
    await world?.backend.stop()
    await agent?.destroy()
  })

  /** The sample with a number of its own. */
  function numbered(sample: Sample): Sample {
    number++
    return sample.caption === '' ? sample : { ...sample, caption: `${sample.caption} ${number}` }
  }

  /** The first sample, which suffers a fault. */
  async function withFault(fault: FaultName): Promise<Sample> {
    if (!harness.asksFault) return numbered({ ...first, caption: `${first.caption} [[fault:${fault}]]` })
    await harness.asksFault(world.backend, fault)
    return numbered(first)
  }

  async function forgetPosts(): Promise<void> {
    for (const id of (await world.backend.ids?.()) ?? (await newPosts()).map((post) => post.id)) old.add(id)
  }

  /** What the network holds since posts were forgotten. */
  function newPosts(): Promise<readonly HeldPost[]> {
    return world.backend.posts(old)
  }

  /** Delivers and tells what the network holds since. */
  async function send(sample: Sample, trouble?: Trouble): Promise<Delivered & { made: readonly HeldPost[] }> {
    await forgetPosts()
    const delivered = await deliver(world, sample, trouble)
    return { ...delivered, made: await newPosts() }
  }

  function expectMade(sample: Sample, post: Ending, made: readonly HeldPost[]): void {
    if (optOut.proofOfAbsence && post.kind === 'unknown') {
      expect(made.length).toBeLessThanOrEqual(1)
      return
    }
    const permalink = optOut.inbox ? null : expect.stringMatching(/^https?:\/\//)
    expect(post).toMatchObject({ kind: 'made', permalink, ...(optOut.inbox ? { inbox: expect.any(String) } : {}) })
    const asked = optOut.inbox ? [{ media: sample.media?.length }] : postsOf(sample, post)
    expect(made.map(({ id, text, media, replyTo }) => ({ id, text, media, replyTo }))).toEqual(
      asked.map((one) => (optOut.inbox ? expect.objectContaining(one) : one)),
    )
  }

  /** When the process ends that sends a sample: behind a request, and behind what is kept. */
  const ends = (sample: Sample) =>
    (['dieAfterRequest', 'dieAfterStore'] as const).filter((_, at) => WHOLE || at === samples.indexOf(sample) % 2)

  describe.each(samples.map((sample) => [sample.title, sample] as const))('%s', (_, original) => {
    test('is there once, as it was asked for, and can be found', async () => {
      const { sample, delivery } = await fenced(original)
      const early = await delivery.call('find')
      expect(optOut.proofOfAbsence ? ['absent', 'cannot-tell'] : ['absent']).toContain(early.kind)
      expect(await newPosts()).toEqual([])

      const published = await settled(delivery)
      expectMade(sample, { ...published, kind: 'made' }, await newPosts())
      world.clock.jumpTo(new Date(delivery.fencedAt().getTime() + network.manifest.listingDelayMs))
      const found = await delivery.call('find')
      expect(found).toEqual({ ...published, kind: 'found' })
      if (network.connector.permalink) {
        // Without handles: what is done has none.
        const later = await (await openDelivery(world, sample)).permalink(published.providerId ?? '')
        expect(later).toBe(published.permalink)
      }
      expect(await newPosts()).toHaveLength(1 + (sample.thread?.length ?? 0))
      if (!optOut.openPermalinks && !optOut.inbox) {
        const opened = await fetch(published.permalink ?? '')
        expect(opened.status).toBe(200)
        expect(await opened.text()).toContain(sample.caption.slice(0, 20))
      }
    })

    test('may be prepared again and again', async () => {
      const sample = numbered(original)
      await forgetPosts()
      const delivery = await openDelivery(world, sample)
      for (let turn = 0; turn < 3; turn++) await prepared(delivery)
      delivery.fence()
      expectMade(sample, { ...(await settled(delivery)), kind: 'made' }, await newPosts())
    })

    if (network.manifest.idempotentPublish) {
      test('is there once when a process that was paused sends it after another one', async () => {
        const { sample, delivery } = await fenced(original)
        const published = await settled(delivery)
        expect(await settled(delivery)).toEqual(published)
        await prepared(delivery)
        expect(await settled(delivery)).toEqual(published)
        expectMade(sample, { ...published, kind: 'made' }, await newPosts())
      })
    }

    test.each(ends(original))('is there once whenever the process ends: %s', async (at) => {
      const upload = measureUpload(original)
      const turns = await untilSpared(async (nth) => {
        const sample = numbered(original)
        const { post, made, died } = await send(sample, { [at]: nth, intercept: upload.nextRun() })
        expectMade(sample, post, made)
        return died
      })
      expect(turns).toBeGreaterThan(1)
      upload.expectResumed()
    })
  })

  const losses = crossed(Object.entries(LOST_ANSWERS), samples).flatMap(([[title, instead], sample]) =>
    (['prepare', 'publish'] as const).map((step) => ({ title, instead, sample: sample.title, original: sample, step })),
  )
  describe('in place of any one answer', () => {
    test.each(losses)('of $step $title: $sample', async ({ step, instead, original }) => {
      await untilSpared(async (nth) => {
        const sample = numbered(original)
        const trouble = lostOnce((exchange) => exchange.step === step && exchange.nthInCall === nth, instead)
        const { post, made } = await send(sample, trouble)
        expectMade(sample, post, made)
        return trouble.struck
      })
    })
  })

  test('a post like an older one is another one, also when its first call was lost', async () => {
    const sample = numbered(first)
    const older = await send(sample)
    expectMade(sample, older.post, older.made)
    // Some networks refuse to repeat the last post.
    await send(numbered(first))
    world.clock.jumpTo(new Date(world.clock.now().getTime() + HOUR_MS))
    const isCall = ({ step }: Exchange) => step === 'publish'
    const { post, made } = await send(
      sample,
      once(isCall, async () => lost),
    )
    expectMade(sample, post, made)
  })

  test('a lookup that fails proves nothing', async () => {
    const sample = numbered(first)
    let struck = false
    const { post, made, log } = await send(sample, {
      async intercept({ step, send: real }) {
        const result = await real()
        if (step === 'publish') return lost
        if (step !== 'find' || struck) return result
        struck = true
        return page(500)
      },
    })
    expectMade(sample, post, made)
    expect(log.find(({ step }) => step === 'find')?.outcome.kind).toBe('cannot-tell')
  })

  test.each(['prepare', 'publish'] as const)(
    'a connection that never comes about in %s is tried again',
    async (step) => {
      const sample = numbered(first)
      const nobody = await closedOrigin()
      const elsewhere = ({ request }: Exchange) => {
        const { pathname, search } = new URL(request.url)
        return world.http({ ...request, url: `${nobody}${pathname}${search}` })
      }
      const trouble = once((exchange) => exchange.step === step, elsewhere)
      const { post, made, log } = await send(sample, trouble)
      expectMade(sample, post, made)
      if (trouble.struck) expect(log.find((entry) => entry.step === step)?.outcome.kind).toBe('retry')
      expect(log.map(({ outcome }) => outcome.kind)).not.toContain('unknown')
    },
  )

  const played = faultNames.filter((fault) => optOut.faults !== 'all' && !optOut.faults?.includes(fault))
  if (played.length > 0) {
    test.each(played)('fault %s: at most once, and an honest result', async (fault) => {
      const sample = await withFault(fault)
      // Long enough for a call of the simulator, short for those that hang.
      const { post, made, log } = await send(sample, { callLimitMs: (nth) => nth * 1_000 })
      const { lasting } = FAULTS[fault]
      if (lasting === null) expectMade(sample, post, made)
      else {
        expect(post).toMatchObject({ kind: 'failed', reason: lasting })
        expect(made).toEqual([])
      }
      expect(log.map(({ outcome }) => outcome.kind)).toContain(
        lasting === null ? (FIRST_OUTCOME[fault] ?? 'unknown') : 'refused',
      )
    })
  }

  if (optOut.faults !== 'all' && !optOut.faults?.includes('token-expired')) {
    test('a token that has expired and cannot be refreshed ends the post, and nothing is made', async () => {
      const without = { ...world, network: { ...network, connect: { ...network.connect, refresh: null } } }
      const sample = await withFault('token-expired')
      await forgetPosts()
      const { post, log } = await deliver(without, sample)
      expect(post).toMatchObject({ kind: 'failed', reason: 'ACCOUNT_CONNECTION_EXPIRED' })
      expect(await newPosts()).toEqual([])
      expect(log.map(({ outcome }) => outcome.kind)).toContain('reconnect')
    })
  }

  if (!optOut.restart) {
    test('a network that is started again knows what it has', async () => {
      const { restart } = world.backend
      if (!restart) throw new Error('The backend has no restart, and does not opt out of it.')
      const delivery = await openDelivery(world, numbered(first))
      await prepared(delivery)
      await restart()
      delivery.fence()
      const published = await settled(delivery)
      await restart()
      world.clock.jumpTo(new Date(delivery.fencedAt().getTime() + network.manifest.listingDelayMs))
      expect(await delivery.call('find')).toEqual({ ...published, kind: 'found' })
    })

    test('a simulator that could not keep a post has not taken it', async ({ skip }) => {
      const { restart, simulator } = world.backend
      if (!restart || !simulator) return skip()
      const { delivery } = await fenced(first)
      await restart({ full: true })
      await delivery.call('publish')
      await restart()
      world.clock.jumpTo(new Date(delivery.fencedAt().getTime() + network.manifest.listingDelayMs))
      const { kind } = await delivery.call('find')
      const held = (await newPosts()).length
      if (kind === 'found' || kind === 'absent') expect(held).toBe(kind === 'found' ? 1 : 0)
    })
  }

  const sending = { world: () => world, numbered, newPosts, forgetPosts }
  describeReads(harness, sending)
  describeClocks(harness, sending)
  describeFilms(harness, sending)
  describeTexts(harness, sending)
  describeThread(harness, sending)
  describeStories(harness, sending)
  describeFollowUp()

  function describeFollowUp(): void {
    const { followUp, thread } = harness
    if (!network.connector.parts) return
    if (!followUp && !thread)
      throw new Error('The connector makes more than a post: the harness needs a sample with that.')
    if (!followUp) return
    const { accountType, caption, fields = {} } = followUp('Words')
    const title = network.connector.parts({ accountType, caption, fields, media: [] })[0]?.title ?? 'no part'
    const withText = (fault = '') => {
      number++
      const text = `Follow-up ${number}${fault}`
      return { text, sample: numbered(followUp(text)) }
    }
    function expectBoth(sample: Sample, text: string, sent: Delivered & { made: readonly HeldPost[] }): void {
      expectMade(sample, sent.post, sent.made)
      if (optOut.proofOfAbsence && sent.followUp?.kind === 'unknown') return
      expect(sent.followUp).toMatchObject({ kind: 'made' })
      expect(sent.made[0]?.comments).toEqual([text])
    }

    describe(title, () => {
      test('is there once', async () => {
        const { sample, text } = withText()
        expectBoth(sample, text, await send(sample))
      })

      test('is there once whenever the process ends', async () => {
        await untilSpared(async (nth) => {
          const { sample, text } = withText()
          const sent = await send(sample, { dieAfterRequest: nth })
          expectBoth(sample, text, sent)
          return sent.died
        })
      })

      test.each(Object.entries(LOST_ANSWERS))('is there once after %s', async (_, instead) => {
        const { sample, text } = withText()
        const trouble = lostOnce(({ step }) => step === 'send', instead)
        expectBoth(sample, text, await send(sample, trouble))
      })

      test.each(WHOLE ? played : part(played, 3))(
        'fault %s: the post stays, and it is there at most once',
        async (fault) => {
          const { sample, text } = withText(` [[fault:${fault}]]`)
          const sent = await send(sample, { callLimitMs: (nth) => nth * 1_000 })
          expectMade(sample, sent.post, sent.made)
          const comments = sent.made[0]?.comments ?? []
          if (sent.followUp?.kind === 'made') expect(comments).toEqual([text])
          else if (FAULTS[fault].lasting !== null) {
            expect(comments).toEqual([])
            expect(sent.result.warnings).toHaveLength(1)
          } else {
            expect(optOut.proofOfAbsence || optOut.hiddenComments).toBe(true)
            expect(sent.followUp?.kind).toBe('unknown')
            expect([[], [text]]).toContainEqual(comments)
          }
        },
      )

      test('what cannot be done is a warning, and the result of the post stays', async () => {
        const { sample } = withText()
        const sent = await send(sample, {
          intercept: async ({ step, send: real }) => (step === 'send' ? page(503) : real()),
        })
        expectMade(sample, sent.post, sent.made)
        expect(sent.made[0]?.comments).toEqual([])
        expect(sent.result).toMatchObject({ status: 'POSTED', warnings: [{ code: 'post:follow_up_failed' }] })
      })
    })
  }

  /** A new post that is prepared and whose fence is set. */
  async function fenced(original: Sample): Promise<{ sample: Sample; delivery: Delivery }> {
    const sample = numbered(original)
    await forgetPosts()
    const delivery = await openDelivery(world, sample)
    await prepared(delivery)
    delivery.fence()
    return { sample, delivery }
  }

  /** Calls prepare until the post is ready. */
  async function prepared(delivery: Delivery): Promise<void> {
    for (let turn = 0; turn < MANY; turn++) {
      const outcome = await delivery.call('prepare')
      if (outcome.kind === 'ready') return
      if (outcome.kind !== 'waiting') throw new Error(`prepare: ${JSON.stringify(outcome)}`)
      world.clock.jumpTo(outcome.askAgainAt)
    }
    throw new Error('The post does not become ready.')
  }

  /** Makes the visible call and asks until the network says that the post is live. */
  async function settled(delivery: Delivery) {
    let outcome = await delivery.call('publish')
    for (let turn = 0; outcome.kind === 'accepted' && turn < MANY; turn++) {
      world.clock.jumpTo(outcome.askAgainAt)
      outcome = await delivery.call('confirm')
    }
    if (outcome.kind !== 'published') throw new Error(`publish: ${JSON.stringify(outcome)}`)
    const { kind: _, warnings: __, ...live } = outcome
    return live
  }
}
