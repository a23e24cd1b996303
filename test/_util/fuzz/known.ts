/** What answers have shown so far: ids by what they are of, and whole records to send back. */
export interface Known {
  ids: Map<string, string[]>
  records: Map<string, Record<string, unknown>>
}

/** The newest of each kind are enough to meet them again. */
const MOST = 400

export function nothingKnown(seed: Readonly<Record<string, readonly string[]>> = {}): Known {
  return { ids: new Map(Object.entries(seed).map(([kind, ids]) => [kind, [...ids]])), records: new Map() }
}

/** An id that is in a generated request until it is sent: which one is known only then. The newest has index 0. */
export class Pick {
  readonly kind: string
  readonly index: number
  readonly upperCase: boolean

  constructor(kind: string, index: number, upperCase = false) {
    this.kind = kind
    this.index = index
    this.upperCase = upperCase
  }

  toString(): string {
    return `id of ${this.kind} #${this.index}`
  }
}

const NO_ONES = '0197f3a0-0000-7000-8000-000000000000'

export function idOf(known: Known, { kind, index, upperCase }: Pick): string {
  const ids = known.ids.get(kind) ?? []
  const id = ids[ids.length - 1 - (index % (ids.length || 1))] ?? NO_ONES
  return upperCase ? id.toUpperCase() : id
}

/** A value with every pick replaced by its id. */
export function resolved(known: Known, value: unknown): unknown {
  if (value instanceof Pick) return idOf(known, value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((part) => resolved(known, part))
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, resolved(known, part)]))
}

/** Takes in the ids and records of a successful answer: one record, a page of them, or a list. */
export function learn(known: Known, resource: string, answer: unknown): void {
  const records = isRecord(answer) && Array.isArray(answer.data) ? answer.data : [answer].flat()
  for (const record of records) {
    if (!isRecord(record) || typeof record.id !== 'string') continue
    known.records.delete(record.id)
    known.records.set(record.id, record)
    const [oldest] = known.records.keys()
    if (known.records.size > MOST && oldest !== undefined) known.records.delete(oldest)
    learnIds(known, resource, record)
  }
}

export function forget(known: Known, resource: string, id: string): void {
  known.records.delete(id)
  known.ids.set(resource, known.ids.get(resource)?.filter((each) => each !== id) ?? [])
  add(known, 'deleted', id)
}

function learnIds(known: Known, kind: string, record: Record<string, unknown>): void {
  if (typeof record.id === 'string') add(known, kind, record.id)
  for (const [name, parts] of Object.entries(record)) {
    if (Array.isArray(parts)) for (const part of parts) if (isRecord(part)) learnIds(known, name, part)
  }
}

function add(known: Known, kind: string, id: string): void {
  const ids = known.ids.get(kind) ?? []
  if (!ids.includes(id)) known.ids.set(kind, [...ids, id].slice(-MOST))
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
