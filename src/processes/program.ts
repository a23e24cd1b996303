import { writeFileSync } from 'node:fs'
import type { LimitPassed, TaskLimits } from './processes.ts'

/** What programs of `processes.ts` have in common, from inside. */

const WATCH_MS = 50

/** Makes this process one that lives for the process that started it, and ends with it. */
export function serveParent(): void {
  beFirstToGo()
  // The one that asks is gone. `exit` would wait for what native code is doing.
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
  // Sent to all processes of a terminal or a service: the one that asks decides when this ends.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
}

/**
 * Should the machine run out of memory, the system ends this process before any other. When it crashes, which is the file's
 * doing, its memory is not written to a disk.
 */
function beFirstToGo(): void {
  if (process.platform !== 'linux') return
  for (const [name, value] of [
    ['oom_score_adj', '1000'],
    ['coredump_filter', '0'],
  ] as const) {
    try {
      writeFileSync(`/proc/self/${name}`, value)
    } catch {
      // Some containers forbid it; nothing depends on it.
    }
  }
}

/**
 * Reports once when this process passes a limit; above that of memory it ends itself then. What takes long has to run
 * outside of this thread, which looks at the limits.
 */
export function watchLimits(
  { residentBytes: most, seconds }: TaskLimits,
  report: (passed: LimitPassed & { residentBytes: number }, then?: () => void) => void,
): { stop(): void; startAgain(): void } {
  let before = process.cpuUsage()
  const watch = setInterval(() => {
    const residentBytes = process.memoryUsage.rss()
    const { user, system } = process.cpuUsage(before)
    // Memory outside of a heap has no limit of its own, and only a killed process gives all of it back at once.
    if (residentBytes > most) report({ kind: 'over', residentBytes }, () => process.kill(process.pid, 'SIGKILL'))
    else if (user + system > seconds * 1e6) report({ kind: 'late', residentBytes })
    else return
    clearInterval(watch)
  }, WATCH_MS)
  return {
    stop: () => clearInterval(watch),
    startAgain() {
      before = process.cpuUsage()
    },
  }
}
