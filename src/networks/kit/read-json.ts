/**
 * Readers of what a network answered: each gives undefined (or null where that is said) for what has another shape, so
 * that an answer is never trusted to be what its documents say.
 */

/** What a text says as JSON; undefined when it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** An object that is no list. */
export function record(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : undefined
}

/** A text that is not empty. */
export const string = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

/** An integer, also when written as text. */
export function number(value: unknown): number | undefined {
  const parsed = typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : value
  return typeof parsed === 'number' && Number.isSafeInteger(parsed) ? parsed : undefined
}

/** An id of digits, perhaps with underscores; it becomes part of an address. Larger numbers have lost digits in JSON. */
export function id(value: unknown): string | undefined {
  const text = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value
  return typeof text === 'string' && /^\d[\d_]{0,63}$/.test(text) ? text : undefined
}

/**
 * An id out of the text of an answer: some networks write them as numbers, and those that are larger than a safe integer
 * lose digits when they are read as JSON.
 */
export function idIn(text: string, name: 'id' | 'user_id'): string | undefined {
  return new RegExp(`"${name}"\\s*:\\s*"?(\\d{1,40})"?\\s*[,}]`).exec(text)?.[1]
}

/** An http or https address, else null. */
export function webAddress(value: unknown): string | null {
  return typeof value === 'string' && /^https?:\/\//.test(value) && URL.canParse(value) ? value : null
}

/** `2026-11-21T10:00:00+0000`, or with a colon in the offset; one without an offset is UTC. Else null. */
export function time(value: unknown): Date | null {
  if (typeof value !== 'string') return null
  const zoned = /(Z|[+-]\d\d:?\d\d)$/i.test(value) || !value.includes('T') ? value : `${value}Z`
  const parsed = new Date(zoned.replace(/([+-]\d\d)(\d\d)$/, '$1:$2'))
  return Number.isNaN(parsed.getTime()) ? null : parsed
}

/** Reads one value; undefined or null for what has another shape. */
type Read<T> = (value: unknown) => T | null | undefined

/** What can be read of a list; nothing of what is none. */
export function listOf<T>(value: unknown, read: (entry: unknown) => T | undefined): T[] {
  return (Array.isArray(value) ? value : []).map(read).filter((each) => each !== undefined)
}

/** A part of an answer, by its path in it: `snippet.title`. */
interface Part<T> {
  path: readonly string[]
  read(value: unknown): unknown
  /** What it is when it is not there; undefined for what has to be. */
  otherwise: T | undefined
}

/** Without it the whole answer cannot be read. */
export const need = <T>(path: string, read: Read<T>): Part<T> => ({ path: path.split('.'), read, otherwise: undefined })
/** What a network may leave out: null then, or what is given. */
export function may<T>(path: string, read: Read<T>): Part<T | null>
export function may<T, D>(path: string, read: Read<T>, otherwise: D): Part<T | D>
export function may<T>(path: string, read: Read<T>, otherwise: unknown = null): Part<unknown> {
  return { path: path.split('.'), read, otherwise }
}

/** The reader of an object: what is not named is not looked at. */
export function reader<P extends Record<string, Part<unknown>>>(parts: P) {
  type Value = { [Name in keyof P]: P[Name] extends Part<infer T> ? T : never }
  return (body: unknown): Value | undefined => {
    const read = Object.entries(parts).map(([name, part]) => {
      const value = part.path.reduce((within, step) => record(within)?.[step], body)
      return [name, part.read(value) ?? part.otherwise]
    })
    return record(body) && read.every(([, value]) => value !== undefined)
      ? (Object.fromEntries(read) as Value)
      : undefined
  }
}
/** What a reader reads. */
export type Answer<R extends (body: unknown) => unknown> = Exclude<ReturnType<R>, undefined>
