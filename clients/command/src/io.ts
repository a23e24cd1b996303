import type { Fetch } from '../../typescript/src/index.ts'

/** What the command has of the machine. */
export interface Io {
  env: Readonly<Record<string, string | undefined>>
  /** Folder that paths begin in. */
  cwd: string
  now(): Date
  /** Standard output: what was asked for, and nothing else. */
  write(text: string): void
  /** Standard error: everything else. */
  report(text: string): void
  /** All of standard input. */
  readInput(): Promise<string>
  /** Asks the person; null where there is no one to ask. `isSecret`: what is typed is not shown. */
  ask: ((question: string, options?: { isSecret?: boolean }) => Promise<string>) | null
  /** Aborts when the person stops the command. */
  signal: AbortSignal
  fetch: Fetch
}

export const EXIT = { done: 0, failed: 1, wrongUse: 2, refused: 3, notReached: 4 } as const
export type Exit = (typeof EXIT)[keyof typeof EXIT]

/** What was typed cannot be done: the message says why. */
export class WrongUse extends Error {
  override name: string = 'WrongUse'
}
