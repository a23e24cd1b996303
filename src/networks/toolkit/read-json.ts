/**
 * Readers of what a network answered: each gives undefined (or null where that is said) for what has another shape, so
 * that an answer is never trusted to be what its documents say.
 */

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

/** An http or https address, else null. */
export function webAddress(value: unknown): string | null {
  return typeof value === 'string' && /^https?:\/\//.test(value) && URL.canParse(value) ? value : null
}

/** `2026-11-21T10:00:00+0000`, or with a colon in the offset; one without an offset is UTC. Else null. */
export function time(value: unknown): Date | null {
  if (typeof value !== 'string') return null
  const zoned = /T.*(Z|[+-]\d\d:?\d\d)$/i.test(value) || !value.includes('T') ? value : `${value}Z`
  const parsed = new Date(zoned.replace(/([+-]\d\d)(\d\d)$/, '$1:$2'))
  return Number.isNaN(parsed.getTime()) ? null : parsed
}
