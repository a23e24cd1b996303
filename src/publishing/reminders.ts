/** Times are rounded up to such steps, so that many that are due shortly after one another cost as much as one. */
const STEP_MS = 50
/** For what is due later a look in time is soon enough: it comes each second. */
const WITHIN_MS = 60_000

/** When what this worker gave back is due again. Nothing depends on them: what other workers gave back is found by the next look. */
export interface Reminders {
  /** Something is due in so many milliseconds. */
  remind(inMs: number): void
  /** Resolves when what is under way has ended; nothing comes any more. */
  stop(): Promise<void>
}

/** @param onDue one at a time; it does not reject */
export function createReminders(onDue: () => Promise<void>): Reminders {
  /** By `performance.now()`. */
  const steps = new Set<number>()
  let timer: { step: number; handle: NodeJS.Timeout } | null = null
  let running: Promise<void> | null = null
  let stopped = false

  function schedule(): void {
    if (stopped || running || steps.size === 0) return
    const step = Math.min(...steps)
    if (timer !== null && timer.step <= step) return
    clearTimeout(timer?.handle)
    timer = { step, handle: setTimeout(() => void fire(), Math.max(0, step - performance.now())) }
  }

  function fire(): void {
    timer = null
    // A timer may go off a part of a millisecond too early.
    for (const step of steps) if (step <= performance.now() + 1) steps.delete(step)
    running = onDue().finally(() => {
      running = null
      schedule()
    })
  }

  return {
    remind(inMs) {
      if (stopped || !(inMs <= WITHIN_MS)) return
      steps.add((Math.floor((performance.now() + Math.max(0, inMs)) / STEP_MS) + 1) * STEP_MS)
      schedule()
    },
    async stop() {
      stopped = true
      clearTimeout(timer?.handle)
      await running
    },
  }
}
