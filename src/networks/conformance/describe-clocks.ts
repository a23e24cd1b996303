import { expect, test } from 'vitest'
import { DAY_MS } from '#contract/durations'
import { crossed } from '../../../test/_util/run/whole.ts'
import { lost } from '../kit/testing.ts'
import { type Clock, type Delivery, openDelivery, type Trouble } from './delivery.ts'
import type { Sending } from './describe-reads.ts'
import type { ConformanceHarness, Sample } from './harness.ts'

const MANY = 100

/** What the engine makes of a first fence when the clock that wrote it was set back. */
const AFTERWARDS: Record<string, (delivery: Delivery, byMs: number) => void> = {
  'has not been moved yet': () => {},
  'was moved back by as much': (delivery, byMs) => delivery.moveFence(-byMs),
  'is doubted': (delivery, byMs) => delivery.doubtFence(-byMs + 600_000),
}

/**
 * A post whose clock was a day ahead when it was sent, and whose answer was lost: what was noted down lies ahead, and the network lists the
 * post before that. It may not be taken for absent, or it would be sent again.
 */
export function describeClocks({ network, samples }: ConformanceHarness, sending: Sending): void {
  const cases = crossed(samples, Object.entries(AFTERWARDS)).map(
    ([sample, [title, afterwards]]) => [title, sample.title, sample, afterwards] as const,
  )
  test.each(cases)('a post of a clock that was set back is not absent, when its fence %s: %s', async (...given) => {
    const [, , sample, afterwards] = given
    let made = 0
    for (let nth = 1; nth < MANY; nth++) {
      const { struck, held } = await lose(sample, nth, afterwards)
      if (!struck) break
      made += held
    }
    expect(made).toBeGreaterThan(0)
  })

  /** Loses the nth answer of the visible call. */
  async function lose(original: Sample, nth: number, afterwards: (delivery: Delivery, byMs: number) => void) {
    const world = sending.world()
    let aheadMs = DAY_MS
    const clock: Clock = {
      now: () => new Date(world.clock.now().getTime() + aheadMs),
      jumpTo: (time) => world.clock.jumpTo(new Date(time.getTime() - aheadMs)),
    }
    let struck = false
    const intercept: Trouble['intercept'] = async ({ step, nthInCall, send }) => {
      const answer = await send()
      if (step !== 'publish' || nthInCall !== nth) return answer
      struck = true
      return lost
    }
    await sending.forgetPosts()
    const open = () => openDelivery({ ...world, clock }, sending.numbered(original), { intercept })
    let delivery = await open()
    if (!(await isPrepared(delivery, clock))) {
      // A network that compares clocks takes nothing of a wrong one.
      aheadMs = 0
      delivery = await open()
      await isPrepared(delivery, clock)
      aheadMs = DAY_MS
    }
    delivery.fence()
    await delivery.call('publish')
    aheadMs = 0
    afterwards(delivery, DAY_MS)
    clock.jumpTo(new Date(clock.now().getTime() + network.manifest.listingDelayMs + 1_000))
    const { kind } = await delivery.call('find')
    // Further parts are replies: whether all of them are there is shown elsewhere.
    const held = (await sending.newPosts()).filter(({ replyTo }) => replyTo === undefined).length
    expect(held).toBeLessThanOrEqual(1)
    if (kind === 'found' || kind === 'absent') expect(held).toBe(kind === 'found' ? 1 : 0)
    return { struck, held }
  }
}

async function isPrepared(delivery: Delivery, clock: Clock): Promise<boolean> {
  for (let turn = 0; turn < MANY; turn++) {
    const outcome = await delivery.call('prepare')
    if (outcome.kind !== 'waiting') return outcome.kind === 'ready'
    clock.jumpTo(outcome.askAgainAt)
  }
  return false
}
