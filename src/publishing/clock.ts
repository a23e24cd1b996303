import { uptime } from 'node:os'
import { type Boot, readBoot } from './boot.ts'

/** The clocks of this machine, in milliseconds. */
export interface MachineClock {
  /** Never steps, and stands still while the machine is suspended. The same for all processes of one boot. */
  monotonic(): number
  /** The same, and goes on meanwhile. */
  boottime(): number
  /** Goes on meanwhile, and may step. */
  wall(): number
}

/** @param boot how far the clocks of this process are ahead of the machine's */
export const machineClock = ({ aheadMs }: Boot = readBoot()): MachineClock => ({
  // On Linux CLOCK_MONOTONIC, which `performance.now()` counts from the start of the process.
  monotonic: () => Number(process.hrtime.bigint()) / 1e6 - aheadMs.monotonic,
  boottime: () => uptime() * 1_000 - aheadMs.boottime,
  wall: () => Date.now(),
})

/** Starts a measure of time: what has gone by since, by the clock that says more. */
export function startTimer(clock: MachineClock): () => number {
  const monotonic = clock.monotonic()
  const wall = clock.wall()
  return () => Math.max(clock.monotonic() - monotonic, clock.wall() - wall)
}

/** The earlier of two times; undefined is none. */
export const earliest = (time: Date, notAfter: Date | undefined): Date =>
  notAfter !== undefined && notAfter < time ? notAfter : time
