import { expect, test } from 'vitest'
import { offsetsIn, readBoot } from './boot.ts'
import { machineClock } from './clock.ts'

test('offsets of a time namespace are read to the millisecond, also those that go back', () => {
  const text = 'monotonic       86400 500000000\nboottime       -7 250000000\n'
  expect(offsetsIn(text)).toEqual({ monotonic: 86_400_500, boottime: -6_750 })
  expect(() => offsetsIn('monotonic soon')).toThrow('no offset')
})

test.runIf(process.platform === 'linux')('the clocks are those of the machine, from its start on', () => {
  const boot = readBoot()
  expect(boot.id).toMatch(/^[0-9a-f-]{36}$/)
  const clock = machineClock(boot)
  expect(clock.boottime() + boot.aheadMs.boottime).toBeGreaterThan(performance.now())
  // Suspended time is in one of them alone.
  expect(clock.monotonic() + boot.aheadMs.monotonic).toBeLessThan(clock.boottime() + boot.aheadMs.boottime + 1_000)
})
