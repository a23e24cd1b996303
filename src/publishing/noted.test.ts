import fc from 'fast-check'
import { expect, test } from 'vitest'
import { startTimer } from './clock.ts'
import { createNoted } from './noted.ts'
import { takeoverMarginMs, visibleCallTimes } from './settings.ts'

/** What can be wrong with the rule of takeovers. Each is found by the walk, so the walk proves something. */
const FAULTS = [
  'the clock of the database decides',
  'a lease is noted from before it was read',
  'every lease is as long as our own',
  'the holder looks at its monotonic clock alone',
  'a row that was written again is the same',
] as const
type Fault = (typeof FAULTS)[number]

const OUR_LEASE_MS = 40_000

/**
 * A holder with a fence that sends sooner or later, verifying its lease before as the engine does, and another worker that
 * notes leases and takes over. Each has a machine of its own, which may be suspended; their wall clocks and that of the
 * database step. What is drawn says what happens next. Returns whether the lease was taken over.
 *
 * @throws Error when the holder sends after a takeover
 */
function walk(drawn: readonly number[], fault: Fault | null): boolean {
  let index = 0
  const pick = (count: number) => (drawn[index++ % drawn.length] ?? 0) % count
  const one = <T>(...values: [T, ...T[]]): T => values[pick(values.length)] ?? values[0]
  const steps = () => one(-7_200_000, -41_000, -1_000, 1_000, 41_000, 7_200_000)

  let time = 1_000_000
  const holder = { suspended: 0, stepped: 0 }
  const other = { suspended: 0 }
  let databaseStepped = 0
  const database = () => time + databaseStepped
  const holderLeaseMs = one(OUR_LEASE_MS, 5_000, 300_000)
  const { verifyMs, limitMs } = visibleCallTimes(holderLeaseMs)
  const holderClock = {
    monotonic: () => time - holder.suspended,
    wall: () => (fault === 'the holder looks at its monotonic clock alone' ? 0 : time + holder.stepped),
  }

  /** When the answer to the last question of the other worker was asked for. */
  let askedAt = 0
  const early = fault === 'a lease is noted from before it was read'
  const noted = createNoted({ leaseMs: OUR_LEASE_MS, now: () => (early ? askedAt : time) - other.suspended })

  let row = { version: 0, leaseUntil: 0 }
  let isTaken = false
  const write = () => {
    row = { version: row.version + 1, leaseUntil: database() + holderLeaseMs }
  }

  /** The holder is suspended, or its wall clock steps: when both may happen in one call, nothing is certain. */
  const suspends = pick(2) === 0
  function pass(): void {
    const ms = one(10, 400, 900, 3_000, 12_000, 45_000)
    const what = pick(8)
    if (what === 0 && suspends) holder.suspended += ms
    if (what === 1) other.suspended += ms
    if (what === 2) databaseStepped += steps()
    if (what === 3 && !suspends) holder.stepped += steps()
    time += ms
  }

  /** The holder asks for its lease again before it sends, when it has come late. */
  function verify(): void {
    if (sinceVerified() <= verifyMs) return
    sinceVerified = startTimer(holderClock)
    write()
  }

  function note(): void {
    askedAt = time
    // Until the question gets a connection.
    if (pick(3) === 0) {
      pass()
      if (pick(3) === 0) verify()
    }
    const read = { ...row }
    if (pick(3) === 0) pass()
    const version = fault === 'a row that was written again is the same' ? '1' : String(read.version)
    const leaseMs = fault === 'every lease is as long as our own' ? OUR_LEASE_MS : holderLeaseMs
    noted.leases([{ id: 'one', version, leaseMs, fencedAt: new Date(0) }])
  }

  function takeOver(): void {
    if (early) askedAt = time
    const over = noted.over().some(({ version }) => version === String(row.version) || fault?.startsWith('a row'))
    const byDatabase = fault === 'the clock of the database decides' && row.leaseUntil <= database()
    if (!over && !byDatabase) return
    isTaken = true
    row = { version: row.version + 1, leaseUntil: database() + OUR_LEASE_MS }
  }

  let sinceVerified = startTimer(holderClock)
  write()
  let sends = false
  for (let turn = 0; turn < 200 && !sends && !isTaken; turn++) {
    pass()
    if (pick(2) === 0) note()
    if (pick(2) === 0) takeOver()
    if (!isTaken && pick(20) === 0) verify()
    sends = !isTaken && pick(60) === 0 && sinceVerified() < limitMs
  }
  // What has not been sent yet is sent as late as it may be.
  if (isTaken && sinceVerified() < limitMs) throw new Error('Sent after the takeover.')
  return isTaken
}

const choices = fc.array(fc.nat(9_999), { minLength: 20, maxLength: 80 })

test('in all orders of steps, suspends and pauses nothing is sent after a takeover', () => {
  let takeovers = 0
  fc.assert(
    fc.property(choices, (drawn) => {
      if (walk(drawn, null)) takeovers += 1
    }),
    { numRuns: 20_000 },
  )
  expect(takeovers).toBeGreaterThan(5_000)
})

test.each(FAULTS)('the walk finds it when %s', (fault) => {
  const { failed, errorInstance } = fc.check(
    fc.property(choices, (drawn) => void walk(drawn, fault)),
    { numRuns: 20_000 },
  )
  expect(failed).toBe(true)
  expect(String(errorInstance)).toContain('Sent after the takeover.')
})

test.each([40_000, 5_000])('a worker that looks each second takes a lease of %d ms over in time', (leaseMs) => {
  let now = 0
  const noted = createNoted({ leaseMs: 1, now: () => now })
  const read = () => noted.leases([{ id: 'one', version: '7', leaseMs, fencedAt: new Date(0) }])
  // The fence was written right after the last look.
  for (now = 999; noted.over().length === 0; now += 1_000) read()
  expect(now).toBeLessThanOrEqual(leaseMs + takeoverMarginMs(leaseMs) + 2_000)
})

test('a call may last as long as its lease, unless it is known to be over', () => {
  let now = 0
  const noted = createNoted({ leaseMs: 1_000, now: () => now })
  const fencedAt = new Date(0)
  const open = (id: string) => ({ id, version: '7', leaseMs: 40_000, fencedAt })
  noted.leases([open('taken over'), open('answered')])
  now = 10_000
  noted.callOver('answered', fencedAt)
  now = 43_000
  expect(noted.sinceCall('taken over', fencedAt)).toBe(3_000)
  expect(noted.sinceCall('answered', fencedAt)).toBe(33_000)
})

test('a call whose lease was verified again may last as long from then on', () => {
  let now = 0
  const noted = createNoted({ leaseMs: 1_000, now: () => now })
  const fencedAt = new Date(0)
  const open = (version: string) => [{ id: 'one', version, leaseMs: 40_000, fencedAt }]
  noted.leases(open('7'))
  now = 38_000
  noted.leases(open('8'))
  now = 39_000
  noted.leases(open('8'))
  now = 81_000
  expect(noted.sinceCall('one', fencedAt)).toBe(3_000)
})

test('fences of others are forgotten too when there are many', () => {
  let now = 0
  const noted = createNoted({ leaseMs: 1_000, now: () => now })
  const fencedAt = new Date(0)
  const open = (id: string) => ({ id, version: '7', leaseMs: 1_000, fencedAt })
  noted.leases([open('one')])
  noted.leases(Array.from({ length: 10_000 }, (_, nth) => open(`other ${nth}`)))
  now = 5_000
  expect(noted.sinceCall('one', fencedAt)).toBe(0)
})

test('what is no longer leased is forgotten, and a fence that is forgotten is known again', () => {
  let now = 0
  const noted = createNoted({ leaseMs: 1_000, now: () => now })
  noted.leases([{ id: 'one', version: '7', leaseMs: null, fencedAt: null }])
  noted.leases([])
  now = 10_000
  expect(noted.over()).toEqual([])
  const fencedAt = new Date(0)
  expect(noted.sinceCall('one', fencedAt)).toBe(0)
  now = 15_000
  expect(noted.sinceCall('one', fencedAt)).toBe(5_000)
  expect(noted.sinceCall('one', new Date(1))).toBe(0)
  for (let nth = 0; nth < 10_000; nth++) noted.sinceCall(`other ${nth}`, fencedAt)
  expect(noted.sinceCall('one', fencedAt)).toBe(0)
})
