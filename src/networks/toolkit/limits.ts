import type { Limit } from '../network.ts'

/** Makes the limits of a manifest whose pages were all read on one day, `2026-11-21`. */
export function limitsReadOn(read: string) {
  return (value: number, unit: string, source: string, unsure?: string): Limit => ({
    value,
    unit,
    source,
    read,
    ...(unsure === undefined ? {} : { unsure }),
  })
}
