import { describe, expect, test } from 'vitest'
import { crossed, part, WHOLE } from '../../../test/_util/run/whole.ts'
import { FAULTS, type FaultName } from '../kit/faults.ts'
import type { Network, Part } from '../network.ts'
import { type Delivered, deliver } from './deliver.ts'
import type { Trouble, World } from './delivery.ts'
import type { Sending } from './describe-reads.ts'
import type { Sent } from './describe-thread.ts'
import type { Sample } from './harness.ts'
import { LOST_ANSWERS, lostOnce, unseen, untilSpared } from './trouble.ts'

interface OfThread {
  network: Network
  thread: Sample
  played: readonly FaultName[]
  sending: Sending
  numbered(sample?: Sample): Sample
  /** All of it is there once, in its order. */
  expectAll(sample: Sample, sent: Sent): void
  /** The parts before the nth are, and the result names it. */
  expectUpTo(nth: number, sample: Sample, sent: Sent): void
}

/** A thread that ended early goes on behind what is live: in the face of any trouble, nothing is there twice, and the order stays. */
export function describeContinued(of: OfThread): void {
  const { network, thread, played, sending, numbered, expectAll, expectUpTo } = of
  const further = thread.thread ?? []
  /** Numbers of the parts that it may end before. */
  const stops = further.map((_, at) => at + 2)

  /** The network, which refuses what comes as part `nth`: before the call, or after it made the part all the same. */
  function refusing(nth: number, isMade = false): World {
    const world = sending.world()
    const ofPart = (each: Part, at: number): Part => {
      if (at + 2 !== nth) return each
      return {
        ...each,
        async send(attempt) {
          if (isMade) await each.send(attempt)
          return { kind: 'refused', reason: 'UNKNOWN', message: 'No more.' }
        },
      }
    }
    const parts: Network['connector']['parts'] = (post) => network.connector.parts?.(post).map(ofPart) ?? []
    return { ...world, network: { ...network, connector: { ...network.connector, parts } } }
  }

  /** One that ended before its part `nth`. */
  async function stopped(nth: number, sample = numbered()): Promise<{ sample: Sample; before: Sent }> {
    await sending.forgetPosts()
    const delivered = await deliver(refusing(nth), sample)
    const before = { ...delivered, made: await sending.newPosts() }
    expectUpTo(nth, sample, before)
    expect(before.live).toHaveLength(nth - 1)
    return { sample, before }
  }

  /** Goes on with it; `made` is all of it. */
  async function goOn(sample: Sample, { live }: Delivered, trouble?: Trouble, world = sending.world()): Promise<Sent> {
    const delivered = await deliver(world, sample, trouble, live)
    return { ...delivered, made: await sending.newPosts() }
  }

  describe(`${thread.title} that goes on`, () => {
    test.each(stops)('behind what is live, from part %d on', async (nth) => {
      const { sample, before } = await stopped(nth)
      expectAll(sample, await goOn(sample, before))
    })

    test.each(crossed(['dieAfterRequest', 'dieAfterStore'] as const, stops))(
      'is there once whenever the process ends: %s, from part %d on',
      async (at, from) => {
        const turns = await untilSpared(async (nth) => {
          const { sample, before } = await stopped(from)
          const sent = await goOn(sample, before, { [at]: nth })
          expectAll(sample, sent)
          return sent.died
        }, 3)
        expect(turns).toBeGreaterThan(1)
      },
    )

    const losses = crossed(Object.entries(LOST_ANSWERS), ['preparePart', 'send', 'confirmPart'] as const)
    test.each(
      losses.map(([[title, instead], step], at) => ({ title, instead, step, from: stops[at % stops.length] ?? 2 })),
    )(
      'is there once after $title in place of any one answer of $step, from part $from on',
      async ({ instead, step, from }) => {
        await untilSpared(async (nth) => {
          const { sample, before } = await stopped(from)
          let seen = 0
          const trouble = lostOnce((exchange) => exchange.step === step && ++seen === nth, instead)
          expectAll(sample, await goOn(sample, before, trouble))
          return trouble.struck
        }, 2)
      },
    )

    test.each(WHOLE ? played : part(played, 3))(
      'fault %s of its first part: at most once, and an honest result',
      async (fault) => {
        const [first, ...rest] = further
        const struck = first && { ...first, caption: `${first.caption} [[fault:${fault}]]` }
        const { sample, before } = await stopped(2, numbered({ ...thread, thread: struck ? [struck, ...rest] : [] }))
        let calls = 0
        const sent = await goOn(sample, before, { callLimitMs: () => ++calls * 1_000 })
        if (FAULTS[fault].lasting === null) expectAll(sample, sent)
        else expectUpTo(2, sample, sent)
      },
    )

    test('ends early again and goes on again', async () => {
      const [from = 2, ...later] = stops
      const then = later.at(-1) ?? expect.unreachable('The thread has one further part.')
      const { sample, before } = await stopped(from)
      const again = await goOn(sample, before, {}, refusing(then))
      expectUpTo(then, sample, again)
      expectAll(sample, await goOn(sample, again))
    })

    test('a part that is there after all is found, and not sent again', async () => {
      const sample = numbered()
      await sending.forgetPosts()
      const before = await deliver(refusing(2, true), sample)
      const { clock } = sending.world()
      clock.jumpTo(new Date(clock.now().getTime() + network.manifest.listingDelayMs))
      expectAll(sample, await goOn(sample, before))
    })

    test('a part whose looks bring nothing is not sent again', async () => {
      const { sample, before } = await stopped(2)
      const sent = await goOn(sample, before, unseen(['findFollowUp']))
      expect(sent.result).toMatchObject({ status: 'POSTED' })
      expect(sent.result.warnings?.[0]?.message).toContain('part 2 ')
      expect(sent.made).toHaveLength(2)
    })
  })
}
