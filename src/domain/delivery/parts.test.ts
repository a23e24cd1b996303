import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type Delivery,
  deliveryDefaults,
  deliveryPolicy,
  followUpRules,
  next,
  type PartRules,
  taskOf,
} from './index.ts'
import { type Walk, walk } from './testing-walk.ts'

/** Deliveries of 25 parts, in all orders of events. */

const minute = 60_000
const PARTS = 25
const behind = (rules: (title: string) => PartRules) =>
  Array.from({ length: PARTS - 1 }, (_, at) => rules(nameOf(at + 1)))
const nameOf = (part: number) => (part === 0 ? 'post' : `part ${part + 1}`)
const policyOf = (parts: readonly PartRules[]) => deliveryPolicy(deliveryDefaults, { listingDelayMs: 20_000, parts })

/** Each answers the one before. */
const threadPart = (title: string): PartRules => ({
  ...{ title, prepares: false, confirms: false, needs: 'previous', stopsRest: true },
  ...{ startsWithinMs: 30 * minute, endsWithinMs: 60 * minute },
})
/** Each is made ready and asked about, and knows nothing of the others. */
const storyPart = (title: string): PartRules => ({
  ...{ title, prepares: true, confirms: true, needs: null, stopsRest: true },
  ...{ startsWithinMs: null, endsWithinMs: null },
})

const KINDS = {
  'a thread': behind(threadPart),
  stories: behind(storyPart),
  'a post with comments': behind(followUpRules),
  'a thread of three with comments': behind((title) =>
    ['part 2', 'part 3'].includes(title) ? threadPart(title) : followUpRules(title),
  ),
}

const choices = fc.array(fc.nat(999), { minLength: 10, maxLength: 200 })

/** What is said of a delivery, held against what the network has. */
function expectHonest({ result, mayBeLive, parts, live, callsOf }: Walk, rules: readonly PartRules[]): void {
  if (result.status === 'FAILED') {
    // No part is ever sent before the post is live.
    expect(callsOf.slice(1).every((calls) => calls === 0)).toBe(true)
    if (!mayBeLive) expect(live[0]).toBe(false)
    return
  }
  expect(mayBeLive).toBe(false)
  expect(result.providerId ?? null).toBe(parts[0]?.providerId)
  for (const [nth, { outcome, providerId }] of parts.entries()) {
    if (outcome === 'live') expect(live[nth]).toBe(true)
    if (outcome === 'absent') expect(live[nth]).toBe(false)
    if (providerId !== null) expect(providerId).toBe(`p${nth}`)
  }
  // What is not spoken of was never sent.
  expect(callsOf.slice(parts.length).every((calls) => calls === 0)).toBe(true)
  const missing = parts.flatMap(({ outcome }, nth) => (outcome === 'live' ? [] : [nth]))
  const warned = result.warnings?.map(({ message }) => /its (part \d+) could/.exec(message)?.[1]) ?? []
  const unsent = parts.length === PARTS ? [] : [parts.length - 1]
  expect(warned).toEqual(missing.map(nameOf))
  if (unsent.length > 0) {
    expect(missing.at(-1)).toBe(parts.length - 1)
    expect(rules[parts.length - 2]?.stopsRest).toBe(true)
    expect(result.warnings?.at(-1)?.message).toContain('What comes behind it was not sent.')
  }
}

describe.each(Object.entries(KINDS))('%s, of 25 parts', (_, rules) => {
  test.each([
    ['', false],
    [' that a network knows again', true],
  ])(
    'in all orders of events, with workers that die, it has an order, an end and an honest result%s',
    (__, repeats) => {
      const seen = new Set<number>()
      fc.assert(
        fc.property(choices, fc.boolean(), fc.nat(PARTS - 1), (drawn, outages, well) => {
          // `walk` throws for a visible call without proof, out of order or too late, and for a delivery that does not end.
          const walked = walk(policyOf(rules), drawn, { outages, repeats, well, warnings: [] })
          expectHonest(walked, rules)
          seen.add(walked.parts.filter(({ outcome }) => outcome === 'live').length)
          const [post] = walked.parts
          const { endsWithinMs = null } = rules[0] ?? {}
          if (outages || !post || endsWithinMs === null || rules.some((each) => each.endsWithinMs === null)) return
          // A turn may be under way, and be taken over, when its time is over.
          expect(walked.endedAt.getTime() - post.endedAt.getTime()).toBeLessThan(endsWithinMs + 5 * minute)
        }),
        { numRuns: 1_500 },
      )
      expect([...seen]).toEqual(expect.arrayContaining([0, 1, 3, PARTS]))
    },
  )
})

test('a wait that the network asks for, and that is too long for a part, holds for the next one', () => {
  const policy = policyOf(['part 2', 'part 3'].map(followUpRules))
  const now = new Date('2026-11-29T12:00:00Z')
  const until = new Date('2026-11-29T13:00:00Z')
  const live = { outcome: 'live', providerId: 'p0', permalink: null, endedAt: now } as const
  const sending: Delivery = {
    ...{ stage: 'SENDING', ended: [live], attempts: 0, lookups: 0, missedLooks: 0, nextAt: now },
    ...{ givesUpAt: new Date('2026-11-30T12:00:00Z'), firstFencedAt: now, fencedAt: now, unknownSince: null },
    ...{ message: null, warnings: [], touched: true, pause: null, connection: 'open' },
  }
  const asked = {
    kind: 'retry',
    from: 'publish',
    countsAsAttempt: false,
    notBefore: until,
    message: 'Slow down.',
  } as const
  for (const [scope, task] of [
    ['identity', { kind: 'event', event: { kind: 'paused', until } }],
    [undefined, { kind: 'step', step: 'send' }],
  ] as const) {
    const decision = next(sending, { kind: 'sent', outcome: { ...asked, scope }, refreshable: false }, policy, now)
    if (decision.kind !== 'open') throw new Error(decision.kind)
    expect(decision.delivery.ended.map(({ outcome }) => outcome)).toEqual(['live', 'absent'])
    expect(taskOf(decision.delivery, policy, now)).toMatchObject(task)
  }
})

test('what is continued has its half hour and its hour from then on, and may be there already', () => {
  const policy = policyOf(['part 2', 'part 3', 'part 4'].map((title) => ({ ...threadPart(title), prepares: true })))
  const at = (minutes: number) => new Date(Date.parse('2026-11-29T12:00:00Z') + minutes * minute)
  const live = (nth: number) =>
    ({ outcome: 'live', providerId: `p${nth}`, permalink: null, endedAt: at(nth), ofThread: true }) as const
  const preparing: Delivery = {
    ...{ stage: 'PREPARING', ended: [live(0), live(1)], attempts: 0, lookups: 0, missedLooks: 0, nextAt: at(500) },
    ...{ givesUpAt: at(5_000), firstFencedAt: null, fencedAt: null, unknownSince: null },
    ...{ message: null, warnings: [], touched: true, pause: null, connection: 'open' },
  }
  const over = { kind: 'event', event: { kind: 'over' } }
  expect(taskOf(preparing, policy, at(500))).toEqual(over)
  const continued = { ...preparing, continuedAt: at(500) }
  expect(taskOf(continued, policy, at(530))).toMatchObject({ kind: 'step', step: 'prepare' })
  expect(taskOf(continued, policy, at(531))).toEqual(over)
  const found = { kind: 'found', providerId: 'p2', permalink: null } as const
  const decision = next(continued, { kind: 'prepared', outcome: found, refreshable: false }, policy, at(520))
  if (decision.kind !== 'open') throw new Error(decision.kind)
  expect(decision.delivery).toMatchObject({
    stage: 'PREPARING',
    ended: [{}, {}, { outcome: 'live', providerId: 'p2' }],
  })
  // Half an hour behind the part before, and no more than an hour behind the beginning.
  expect(taskOf(decision.delivery, policy, at(549))).toMatchObject({ kind: 'step', step: 'prepare' })
  expect(taskOf(decision.delivery, policy, at(551))).toEqual(over)
  const [post, second, third] = decision.delivery.ended
  if (!post || !second || !third) throw new Error('A part is missing.')
  const slow = { ...decision.delivery, ended: [post, second, { ...third, endedAt: at(540) }] }
  expect(taskOf(slow, policy, at(561))).toEqual(over)
})
