import type { Attempt } from '../network.ts'

/** An attempt with something else in it. Handles are read at each look: they change while an attempt goes on. */
export function attemptWith(attempt: Attempt, change: Partial<Omit<Attempt, 'handles'>>): Attempt {
  return Object.defineProperty({ ...attempt, ...change }, 'handles', { get: () => attempt.handles })
}
