/** Reads bytes of a file: `start` inclusive, `end` exclusive, within the file. */
export type ReadRange = (start: number, end: number) => Promise<Uint8Array>

/** A box of an MP4 or QuickTime file: its type and where its content lies. */
export interface Box {
  type: string
  start: number
  end: number
}

const EBML = 0x1a45dfa3
const SEGMENT = 0x18538067
/** A box count that no real file has; keeps a file of nothing but empty boxes from being walked for ever. */
const MAX_BOXES = 100_000

/**
 * Whether the outermost parts of an MP4, QuickTime or WebM file say that they go on behind its end: a download or copy
 * that was cut off. Parsers do not mind as long as the index is there.
 */
export async function endsEarly(read: ReadRange, bytes: number): Promise<boolean> {
  const head = await read(0, Math.min(bytes, 64))
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength)
  return view.byteLength >= 4 && view.getUint32(0) === EBML ? segmentEndsEarly(view, bytes) : boxEndsEarly(read, bytes)
}

/** ISO 14496-12, 4.2: a 32-bit size and a type; size 1 has 64 bits behind the type, size 0 goes to the end. */
async function boxEndsEarly(read: ReadRange, bytes: number): Promise<boolean> {
  let position = 0
  for (let count = 0; count < MAX_BOXES && position + 8 <= bytes; count++) {
    const header = await read(position, Math.min(position + 16, bytes))
    const view = new DataView(header.buffer, header.byteOffset, header.byteLength)
    let size = view.getUint32(0)
    if (size === 0) return false
    if (size === 1) {
      if (view.byteLength < 16) return true
      size = Number(view.getBigUint64(8))
    }
    // Not a box: some programs leave a few bytes behind the last one.
    if (size < 8) return false
    position += size
  }
  return position > bytes
}

/** The boxes that lie between two places, in order. Ends at the first that is none or goes on behind `end`. */
export async function* boxesIn(read: ReadRange, start: number, end: number): AsyncGenerator<Box> {
  let position = start
  for (let count = 0; count < MAX_BOXES && position + 8 <= end; count++) {
    const header = Buffer.from(await read(position, Math.min(position + 16, end)))
    let size = header.readUInt32BE(0)
    let content = 8
    if (size === 0) size = end - position
    if (size === 1 && header.length === 16) {
      size = Number(header.readBigUInt64BE(8))
      content = 16
    }
    if (size < content || position + size > end) return
    yield { type: header.toString('latin1', 4, 8), start: position + content, end: position + size }
    position += size
  }
}

/** The first box at the end of a path of types: `['moov', 'mvhd']`. Null when there is none. */
export async function findBox(read: ReadRange, within: { start: number; end: number }, path: readonly string[]) {
  let found: { start: number; end: number } | null = within
  for (const type of path) {
    const parent: { start: number; end: number } = found
    found = null
    for await (const box of boxesIn(read, parent.start, parent.end)) {
      if (box.type !== type) continue
      found = box
      break
    }
    if (!found) return null
  }
  return found
}

/** RFC 8794: identifier and size of the head, then of the segment, which holds all else. A live one has no size. */
function segmentEndsEarly(view: DataView, bytes: number): boolean {
  const head = readSize(view, 4)
  if (!head?.size) return false
  const at = head.next + head.size
  if (at + 4 > view.byteLength || view.getUint32(at) !== SEGMENT) return false
  const segment = readSize(view, at + 4)
  return segment?.size != null && segment.next + segment.size > bytes
}

/** An EBML size: as many bytes as the first one has leading zeros, plus one. `size` null: unknown. */
function readSize(view: DataView, at: number): { size: number | null; next: number } | null {
  if (at >= view.byteLength) return null
  const first = view.getUint8(at)
  const length = Math.clz32(first) - 23
  if (length > 8 || at + length > view.byteLength) return null
  let value = first & (0xff >> length)
  let unknown = value === 0xff >> length
  for (let i = 1; i < length; i++) {
    const byte = view.getUint8(at + i)
    unknown &&= byte === 0xff
    value = value * 256 + byte
  }
  return { size: unknown ? null : value, next: at + length }
}
