/** As much of PostgreSQL's protocol as a proxy needs that counts statements (docs: "Message Formats", version 3.0). */

export interface Message {
  /** Empty for the first message of a connection, which has no type. */
  type: string
  /** With type and length. */
  bytes: Buffer
  body: Buffer
}

/** Cuts a stream into messages. `untyped`: the first one has no type byte. */
export function createSplitter({ untyped }: { untyped: boolean }): (chunk: Buffer) => Message[] {
  let rest: Buffer = Buffer.alloc(0)
  let first = untyped
  return (chunk) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    const messages: Message[] = []
    for (;;) {
      const header = first ? 0 : 1
      if (rest.length < header + 4) return messages
      const length = header + rest.readUInt32BE(header)
      if (rest.length < length) return messages
      const bytes = rest.subarray(0, length)
      messages.push({ type: first ? '' : String.fromCharCode(bytes[0] ?? 0), bytes, body: bytes.subarray(header + 4) })
      rest = rest.subarray(length)
      first = false
    }
  }
}

function text(body: Buffer, from: number): { value: string; end: number } {
  const end = body.indexOf(0, from)
  return { value: body.toString('utf8', from, end), end: end + 1 }
}

/** `Parse`: the name of a prepared statement and its text. */
export function readParse(body: Buffer): { name: string; statement: string } {
  const name = text(body, 0)
  return { name: name.value, statement: text(body, name.end).value }
}

/** `Bind`: which prepared statement is run. */
export const readBoundName = (body: Buffer): string => text(body, text(body, 0).end).value

/** `BackendKeyData`: the process id of the backend. */
export const readBackend = (body: Buffer): number => body.readUInt32BE(0)

/** `ReadyForQuery`: whether the connection is in a transaction. */
export const isInTransaction = (body: Buffer): boolean => body.toString('latin1', 0, 1) !== 'I'

/** The rows of an answer, by the names of their columns; values are texts. */
export function readRows(messages: readonly Message[]): Record<string, string | null>[] {
  let names: string[] = []
  const rows: Record<string, string | null>[] = []
  for (const { type, body } of messages) {
    if (type === 'T') names = readColumns(body)
    if (type === 'D') rows.push(readRow(body, names))
  }
  return rows
}

function readColumns(body: Buffer): string[] {
  const names: string[] = []
  let at = 2
  for (let column = body.readUInt16BE(0); column > 0; column -= 1) {
    const { value, end } = text(body, at)
    names.push(value)
    at = end + 18
  }
  return names
}

function readRow(body: Buffer, names: readonly string[]): Record<string, string | null> {
  const row: Record<string, string | null> = {}
  let at = 2
  for (let column = 0; column < body.readUInt16BE(0); column += 1) {
    const length = body.readInt32BE(at)
    at += 4
    row[names[column] ?? `${column}`] = length < 0 ? null : body.toString('utf8', at, at + length)
    at += Math.max(0, length)
  }
  return row
}
