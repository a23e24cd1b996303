import { randomUUIDv7 } from 'node:crypto'

/** A new id: UUIDv7, so that ids sort by the time they were made. */
export function newId(): string {
  return randomUUIDv7()
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Whether a string can be an id at all. What cannot is simply not found. */
export function isId(value: string): boolean {
  return UUID.test(value)
}
