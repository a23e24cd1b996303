import * as LIMITS from './limits.ts'
import { entryAt, type ProblemEntry, ProblemError, pointerOf } from './problem.ts'

const CODE = 'request:invalid_query'
const MAX_PARAMETERS = 500

/**
 * The parameters of a query string. Read each by its name without trailing brackets: `filters[status]` also returns
 * `filters[status][]` and `filters[status][0]`. Parameters that are never read are unknown, and a problem.
 */
export interface QueryReader {
  /** The value of a parameter that may stand once; null when it is absent. */
  text(name: string): string | null
  /** The values of a parameter that may be repeated; null when it is absent. */
  texts(name: string): string[] | null
  /** One of a closed list. */
  choice<T extends string>(name: string, choices: readonly T[]): T | null
  /** Some of a closed list. */
  choices<T extends string>(name: string, choices: readonly T[]): T[] | null
  /** A whole number of a range, with what it is when it is absent or wrong. */
  integer<Default extends number | null>(
    name: string,
    range: { min?: number; max: number; default: Default },
  ): number | Default
  /** That the end of a page lies within what lists reach. */
  checkReach(page: number, size: number): void
  /** Which of the given parameters are there, in the order of the query string. */
  orderOf<T extends string>(names: readonly T[]): T[]
  problem(name: string, words: string): void
  /** @throws ProblemError `request:invalid_query` with all problems that were met. */
  finish(): void
}

/**
 * Reads a query string (without the question mark).
 *
 * @throws ProblemError `request:invalid_query` when it is not well written at all
 */
export function readQuery(query: string): QueryReader {
  const pairs = decode(query)
  const given = Map.groupBy(pairs, ({ name }) => name)
  const asked = new Set<string>()
  const entries: ProblemEntry[] = []
  const problem = (name: string, words: string) => {
    const written = given.get(name)?.[0]?.written ?? name
    entries.push({ ...entryAt([], CODE, `${written} ${words}.`), path: written, pointer: pointerOf(stepsOf(written)) })
  }
  const texts = (name: string) => {
    asked.add(name)
    return given.get(name)?.map(({ value }) => value) ?? null
  }
  const text = (name: string) => {
    const values = texts(name)
    if (!values) return null
    if (values.length > 1) problem(name, 'may be given once only')
    else if (given.get(name)?.[0]?.written !== name) problem(name, 'is not a known parameter')
    return values[0] ?? null
  }
  const among = <T extends string>(name: string, value: string, choices: readonly T[]): T[] => {
    const found = choices.find((choice) => choice === value)
    if (!found) problem(name, `must be one of ${choices.join(', ')}`)
    return found ? [found] : []
  }
  const integer: QueryReader['integer'] = (name, { min = 1, max, default: fallback }) => {
    const value = text(name)
    if (value === null) return fallback
    const number = /^\d{1,16}$/.test(value) ? Number(value) : -1
    if (number >= min && number <= max) return number
    problem(name, `must be a whole number from ${min} to ${max}`)
    return fallback
  }
  const checkReach = (page: number, size: number) => {
    const { maxReach } = LIMITS.page
    if (page * size > maxReach) problem('page', `times size must be at most ${maxReach}: narrow the filters instead`)
  }
  return {
    text,
    texts,
    choice(name, choices) {
      const value = text(name)
      return value === null ? null : (among(name, value, choices)[0] ?? null)
    },
    integer,
    choices: (name, choices) => texts(name)?.flatMap((value) => among(name, value, choices)) ?? null,
    checkReach,
    orderOf: (names) => [...given.keys()].flatMap((name) => names.find((wanted) => wanted === name) ?? []),
    problem,
    finish() {
      for (const [name, [pair]] of given) {
        if (!asked.has(name) && pair) problem(name, 'is not a known parameter')
      }
      if (entries.length === 0) return
      throw new ProblemError(CODE, entries[0]?.message ?? '', { entries })
    },
  }
}

interface Pair {
  /** Without a bracket pair at the end that says only that there are several. */
  name: string
  written: string
  value: string
}

function decode(query: string): Pair[] {
  try {
    // Stricter than URLSearchParams, which lets broken escapes stand as they are.
    decodeURIComponent(query.replaceAll('+', ' '))
  } catch {
    throw new ProblemError(CODE, 'The query string is not well written: a percent sign must begin an escape of UTF-8.')
  }
  const pairs = [...new URLSearchParams(query)].map(([written, value]) => ({
    name: written.replace(/\[\d*\]$/, ''),
    written,
    value,
  }))
  if (pairs.length > MAX_PARAMETERS) {
    throw new ProblemError(CODE, `A query string may have ${MAX_PARAMETERS} parameters at most.`)
  }
  const broken = pairs.filter(({ written, value }) => written.includes('\0') || value.includes('\0'))
  if (broken.length > 0) {
    throw new ProblemError(CODE, 'The query string must not contain the NUL character.')
  }
  return pairs
}

/** `filters`, `status` of `filters[status][]`. */
function stepsOf(written: string): string[] {
  return written.split(/[[\]]+/).filter((step) => step !== '')
}
