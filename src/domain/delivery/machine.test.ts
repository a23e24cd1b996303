import fc from 'fast-check'
import { expect, test } from 'vitest'
import { WHOLE } from '../../../test/_util/run/whole.ts'
import {
  type Delivery,
  deliveryDefaults,
  deliveryPolicy,
  followUpRules,
  mayBeLiveMessage,
  next,
  numberOf,
} from './index.ts'
import { MARK_FAULTS } from './testing-marks.ts'
import { STUBBORN } from './testing-stubborn.ts'
import { walkTwins } from './testing-twins.ts'
import { type Walk, walk } from './testing-walk.ts'

const hour = 3_600_000
const post = deliveryPolicy(deliveryDefaults, { listingDelayMs: 20_000, parts: [] })
const withComment = deliveryPolicy(deliveryDefaults, {
  listingDelayMs: 20_000,
  parts: [followUpRules('first comment')],
})
const kept = { code: 'kept', message: 'Warned before.' }

/** Choices that answers, deaths and outages are drawn from. */
const choices = fc.array(fc.nat(999), { minLength: 10, maxLength: 60 })

/** What a result may say, by what the network holds in the end. */
function expectHonest({ result, mayBeLive, live }: Walk): void {
  if (result.status === 'POSTED') expect(live[0]).toBe(true)
  // What is said to be absent may be sent again by a person.
  else if (!mayBeLive) expect(live[0]).toBe(false)
  expect(mayBeLive).toBe(result.message === mayBeLiveMessage)
  const warning = result.warnings?.find(({ code }) => code === 'post:follow_up_failed')
  if (result.status === 'POSTED' && live.length > 1 && !warning) expect(live[1]).toBe(true)
  if (warning && !warning.message.includes('may be there')) expect(live[1] ?? false).toBe(false)
}

test.each([
  ['a post', post, false],
  ['a post with a first comment', withComment, false],
  ['a post that a network knows again', post, true],
  ['a post with a first comment, both known again', withComment, true],
])(
  '%s: in all orders of events and with two workers, no second visible call without proof, and an honest end',
  (_, policy, repeats) => {
    fc.assert(
      fc.property(choices, fc.boolean(), (drawn, outages) => {
        const walked = walk(policy, drawn, { outages, repeats, warnings: [kept] })
        // `walk` throws for a visible call without proof, and for a delivery that does not end.
        const { result, calls, startedAt, endedAt } = walked
        expectHonest(walked)
        if (result.status === 'POSTED') expect(result.warnings).toContainEqual(kept)
        expect(calls).toBeLessThanOrEqual(deliveryDefaults.maxAttempts * 50)
        if (!outages) expect(endedAt.getTime() - startedAt.getTime()).toBeLessThan(32 * hour)
      }),
      { numRuns: WHOLE ? 5_000 : 1_500 },
    )
  },
)

test.each([
  ['at any time', undefined],
  ['the second one 58 s later, on a network that lists after 60 s', 58_000],
])('two posts of the same words, %s: no id is the result of both, and what is there is what is told', (_, apartMs) => {
  const policy = deliveryPolicy(deliveryDefaults, { listingDelayMs: 60_000, parts: [] })
  const seen = { posted: 0, unsure: 0, both: 0 }
  fc.assert(
    fc.property(choices, (drawn) => {
      // `walkTwins` throws for a delivery that does not end.
      const { results, held } = walkTwins(policy, drawn, apartMs)
      const posted = results.filter(({ result }) => result.status === 'POSTED')
      const unsure = results.filter(({ mayBeLive }) => mayBeLive)
      const ids = posted.map(({ result }) => result.providerId ?? '')
      expect(new Set(ids).size).toBe(posted.length)
      expect(held).toEqual(expect.arrayContaining(ids))
      expect(held.length).toBeGreaterThanOrEqual(posted.length)
      expect(held.length).toBeLessThanOrEqual(posted.length + unsure.length)
      seen.posted += posted.length
      seen.unsure += unsure.length
      if (posted.length === 2) seen.both += 1
    }),
    { numRuns: 5_000 },
  )
  // With a listing that shows everything in time nobody has to say that a post may be live.
  expect(seen.unsure).toBeLessThan(seen.posted / 1_000)
  expect(seen.both).toBeGreaterThan(4_000)
})

test.each(
  STUBBORN.flatMap((stubborn) => [
    ['a post', stubborn, post] as const,
    ['a first comment', stubborn, withComment] as const,
  ]),
)('%s ends on a network whose answer is forever: %s', (_, stubborn, policy) => {
  const walked = walk(policy, [0], { outages: false, warnings: [kept], stubborn })
  const { calls, startedAt, endedAt } = walked
  expectHonest(walked)
  const hours = (endedAt.getTime() - startedAt.getTime()) / hour
  // Attempts end with the post's day; looks may have begun at its end.
  expect(hours).toBeLessThanOrEqual({ 'cannot tell': 7, accepted: 31 }[stubborn as string] ?? 24)
  expect(calls).toBeLessThanOrEqual(stubborn.startsWith('wait') ? 24 * 3_600 + 1 : deliveryDefaults.maxAttempts)
})

test.each([
  ['a post', post],
  ['a post with a first comment', withComment],
])('what the network did not take of %s is in its result, behind earlier warnings', (_, policy) => {
  const refused = { code: 'post:alt_text_refused', message: 'No alternative text.' }
  const published = { kind: 'published', providerId: 'p1', permalink: null, warnings: [refused] } as const
  const now = new Date('2026-11-23T12:00:00Z')
  const sending: Delivery = {
    stage: 'SENDING',
    ended: [],
    attempts: 0,
    lookups: 0,
    missedLooks: 0,
    nextAt: now,
    givesUpAt: new Date(now.getTime() + hour),
    firstFencedAt: now,
    fencedAt: now,
    unknownSince: null,
    message: null,
    warnings: [kept],
    touched: true,
    pause: null,
    connection: 'open',
  }
  let decision = next(sending, { kind: 'sent', outcome: published, refreshable: false }, policy, now)
  if (decision.kind === 'open') {
    const { warnings: _, ...comment } = published
    decision = next(decision.delivery, { kind: 'sent', outcome: comment, refreshable: false }, policy, now)
  }
  expect(decision).toMatchObject({ kind: 'result', result: { status: 'POSTED', warnings: [kept, refused] } })
})

test('the walk meets every stage, both kinds of results, takeovers and warnings', () => {
  const seen = new Set<string>()
  const note = (delivery: Delivery) => seen.add(`${numberOf(delivery)} ${delivery.stage}`)
  const results = new Set<string>()
  fc.assert(
    fc.property(choices, fc.boolean(), (drawn, outages) => {
      const { result, takeovers } = walk(withComment, drawn, { outages, warnings: [], note })
      results.add(result.status === 'POSTED' ? `POSTED ${result.warnings?.length ?? 0}` : (result.message ?? ''))
      if (takeovers > 0) seen.add('takeover')
    }),
    { numRuns: 500 },
  )
  expect([...seen].sort()).toEqual(
    [
      '0 CONFIRMING',
      '0 LOOKING_UP',
      '0 PREPARING',
      '0 READY',
      '0 SENDING',
      '1 LOOKING_UP',
      '1 READY',
      '1 SENDING',
      'takeover',
    ].sort(),
  )
  expect(results).toContain('POSTED 0')
  expect(results).toContain('POSTED 1')
  expect(results).toContain(mayBeLiveMessage)
})

test.each(MARK_FAULTS)('the walk finds it when %s', (markFault) => {
  const repeats = markFault.includes('repeat')
  const { failed, errorInstance } = fc.check(
    fc.property(choices, fc.boolean(), (drawn, outages) => {
      const walked = walk(post, drawn, { outages, repeats, warnings: [], markFault })
      // What is called absent may be sent again by a person.
      if (walked.result.status === 'FAILED' && !walked.mayBeLive && walked.live[0]) throw new Error('Proven in vain.')
    }),
    { numRuns: 20_000 },
  )
  expect(failed).toBe(true)
  expect(String(errorInstance)).toMatch(/without proof|not allowed|in vain|was none/)
})
