import { expect } from 'vitest'
import type { Part } from '#networks'
import type { Engine } from './engine.ts'

/** Deliveries of 25 parts: a thread that a script plays, and what came of it. */

export const PARTS = 25
export const MINUTE_MS = 60_000
export const titles = Array.from({ length: PARTS - 1 }, (_, at) => `part ${at + 2}`)
export const refused = { kind: 'refused', reason: 'UNKNOWN', message: 'No more.' } as const
export const unknown = { kind: 'unknown', message: 'No answer.' } as const

/** A thread, and what was asked of it: each part answers the one before. */
export function thread(change: (number: number) => Partial<Part> = () => ({})) {
  const asked: string[] = []
  const parts = titles.map((title, at): Part => {
    const made = { providerId: `id of ${title}`, permalink: null }
    const changed = change(at + 2)
    return {
      ...{ title, needs: 'previous', stopsRest: true, startsWithinMs: 30 * MINUTE_MS, endsWithinMs: 60 * MINUTE_MS },
      ...changed,
      async send(attempt) {
        asked.push(title)
        expect(attempt.before).toHaveLength(at + 1)
        if (at > 0) expect(attempt.before.at(-1)?.providerId).toBe(`id of part ${at + 1}`)
        return changed.send ? changed.send(attempt) : { kind: 'published', ...made }
      },
      async find(attempt) {
        asked.push(`look for ${title}`)
        return changed.find ? changed.find(attempt) : { kind: 'found', ...made }
      },
    }
  })
  return { parts, asked }
}

export const resultOf = async (engine: Engine, set: string) => (await engine.set(set)).results[0]
export const partsOf = async (engine: Engine, set: string) =>
  (await engine.delivery(set)).parts.map((part) => [part.title, part.outcome ?? 'next'])

export const missing = (title: string, words: string) => ({
  status: 'POSTED',
  providerId: expect.stringMatching(/^p\d+$/),
  warnings: [{ message: expect.stringMatching(new RegExp(`its ${title} could not be made\\..*${words}`)) }],
})
