import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { OpenFence, OpenLease } from '#persistence'
import { startTimer } from './clock.ts'
import { createNoted } from './noted.ts'
import { takeoverMarginMs, visibleCallTimes } from './settings.ts'

/** An open lease of another worker, whose fence is of this time. */
const lease = (id: string, more: Partial<OpenLease> = {}): OpenLease => ({
  ...{ id, owner: 'other/1', version: '7', leaseMs: 40_000, fence: fenceAt(0) },
  ...more,
})
const fenceAt = (ms: number, more: Partial<OpenFence> = {}): OpenFence => ({
  ...{ at: new Date(ms), sinceMs: 0, markedOverAt: null },
  ...more,
})

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
    boottime: () => time,
  }

  /** When the answer to the last question of the other worker was asked for. */
  let askedAt = 0
  const early = fault === 'a lease is noted from before it was read'
  const noted = createNoted({
    worker: 'us',
    leaseMs: OUR_LEASE_MS,
    now: () => (early ? askedAt : time) - other.suspended,
  })

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
    noted.leases([lease('one', { version, leaseMs })])
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

/** A worker whose monotonic clock is moved by the test. */
function startNoting() {
  const clock = { now: 0 }
  return { clock, noted: createNoted({ worker: 'us', leaseMs: 1_000, now: () => clock.now }) }
}
const overAt = (noted: ReturnType<typeof createNoted>, id: string, fencedAt = new Date(0)) =>
  noted.call(id, fencedAt)?.overAt

test.each([40_000, 5_000])('a worker that looks each second takes a lease of %d ms over in time', (leaseMs) => {
  const { clock, noted } = startNoting()
  const read = () => noted.leases([lease('one', { leaseMs })])
  // The fence was written right after the last look.
  for (clock.now = 999; noted.over().length === 0; clock.now += 1_000) read()
  expect(clock.now).toBeLessThanOrEqual(leaseMs + takeoverMarginMs(leaseMs) + 2_000)
})

test('a call may last as long as its lease, unless it is known to be over', () => {
  const { clock, noted } = startNoting()
  noted.leases([lease('taken over'), lease('answered')])
  clock.now = 10_000
  noted.callOver('answered', new Date(0), 500)
  expect(noted.call('taken over', new Date(0))).toEqual({ overAt: 40_000, lastsMs: 30_000, begunAt: null })
  expect(noted.call('answered', new Date(0))).toEqual({ overAt: 10_000, lastsMs: 0, begunAt: 500 })
})

test('a lease that was verified again is a fence of its own', () => {
  const { clock, noted } = startNoting()
  noted.leases([lease('one')])
  clock.now = 38_000
  noted.leases([lease('one', { version: '8', fence: fenceAt(1) })])
  expect([overAt(noted, 'one'), overAt(noted, 'one', new Date(1))]).toEqual([40_000, 78_000])
})

test('that of a version before may last as long from then on, and is never marked', () => {
  const { clock, noted } = startNoting()
  noted.leases([lease('one', { owner: 'before' })])
  clock.now = 38_000
  noted.leases([lease('one', { owner: 'before', version: '8' })])
  clock.now = 39_000
  noted.leases([lease('one', { owner: 'before', version: '8' })])
  expect(overAt(noted, 'one')).toBe(78_000)
  clock.now = 60_000
  expect(noted.unmarked()).toEqual([])
})

test('calls of others are marked when they go on for longer than most, with the moment when they were first seen', () => {
  const { clock, noted } = startNoting()
  noted.leases([lease('one'), lease('ours', { owner: 'us/1' }), lease('before its fence', { fence: null })])
  clock.now = 1_000
  expect(noted.unmarked()).toEqual([])
  clock.now = 2_500
  const mark = { id: 'one', fencedAt: new Date(0), overAt: 40_000, lastsMs: 37_500, begunAt: null }
  expect(noted.unmarked()).toEqual([mark])
  noted.marked([mark])
  noted.leases([lease('one')])
  expect(noted.unmarked()).toEqual([])
})

test('a lease that has just been seen is over when the mark of its fence says so, by both clocks', () => {
  const { clock, noted } = startNoting()
  const seen = (more: Partial<OpenFence>) => {
    noted.leases([])
    noted.leases([lease('one', { fence: fenceAt(0, more) })])
    return noted.over().length
  }
  clock.now = 100_000
  expect(seen({ markedOverAt: 97_000, sinceMs: 43_000 })).toBe(1)
  expect(seen({ markedOverAt: 97_001, sinceMs: 43_000 })).toBe(0)
  expect(seen({ markedOverAt: 97_000, sinceMs: 42_999 })).toBe(0)
  expect(seen({ markedOverAt: null, sinceMs: 99_000 })).toBe(0)
})

test('fences of others are forgotten too when there are many', () => {
  const { noted } = startNoting()
  noted.leases([lease('one')])
  noted.leases(Array.from({ length: 10_000 }, (_, nth) => lease(`other ${nth}`)))
  expect(noted.call('one', new Date(0))).toBeNull()
})

test('what is no longer leased is forgotten, and of what is learned of a fence the better is kept', () => {
  const { clock, noted } = startNoting()
  noted.leases([lease('one', { leaseMs: null, fence: null })])
  noted.leases([])
  clock.now = 10_000
  expect(noted.over()).toEqual([])
  const learned = (now: number) => noted.learn('one', new Date(0), { overAt: now, lastsMs: 0, begunAt: null }).overAt
  expect([learned(10_000), learned(15_000), learned(9_000)]).toEqual([10_000, 10_000, 9_000])
  expect(noted.call('one', new Date(1))).toBeNull()
})
