/** The clocks of this machine, in milliseconds. */
export interface MachineClock {
  /** Never steps, and stands still while the machine is suspended. */
  monotonic(): number
  /** Goes on meanwhile, and may step. */
  wall(): number
}

export const machineClock: MachineClock = { monotonic: () => performance.now(), wall: () => Date.now() }

/** Starts a measure of time: what has gone by since, by the clock that says more. */
export function startTimer(clock: MachineClock): () => number {
  const monotonic = clock.monotonic()
  const wall = clock.wall()
  return () => Math.max(clock.monotonic() - monotonic, clock.wall() - wall)
}
