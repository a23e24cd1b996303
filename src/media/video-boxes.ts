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
const PAGE_BYTES = 4096
/**
 * A count of boxes side by side that no real file has: the parser walks them all. Fragments of a
 * second, as some recorders write them, come to 20,000 in almost three hours.
 */
export const MAX_BOXES = 20_000

/** `tooMany`: more than `MAX_BOXES` lie side by side. */
type Outline = 'whole' | 'endsEarly' | 'tooMany'

/**
 * Looks at the outermost parts of an MP4, QuickTime or WebM file before a parser does. `endsEarly`: they say that they
 * go on behind the end of the file, so a download or copy was cut off; parsers do not mind as long as the index is there.
 */
export async function outlineOf(file: ReadRange, bytes: number): Promise<Outline> {
  const read = byPages(file, bytes)
  const head = await read(0, Math.min(bytes, 64))
  const view = viewOf(head)
  return view.byteLength >= 4 && view.getUint32(0) === EBML
    ? outlineOfSegment(read, view, bytes)
    : outlineOfBoxes(read, bytes)
}

/** ISO 14496-12, 4.2: a 32-bit size and a type; size 1 has 64 bits behind the type, size 0 goes to the end. */
async function outlineOfBoxes(read: ReadRange, bytes: number): Promise<Outline> {
  let position = 0
  for (let count = 0; position + 8 <= bytes; count++) {
    if (count === MAX_BOXES) return 'tooMany'
    const view = viewOf(await read(position, Math.min(position + 16, bytes)))
    let size = view.getUint32(0)
    if (size === 0) return 'whole'
    if (size === 1) {
      if (view.byteLength < 16) return 'endsEarly'
      size = Number(view.getBigUint64(8))
    }
    // Not a box: some programs leave a few bytes behind the last one.
    if (size < 8) return 'whole'
    position += size
  }
  return position > bytes ? 'endsEarly' : 'whole'
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
async function outlineOfSegment(read: ReadRange, view: DataView, bytes: number): Promise<Outline> {
  const head = readSize(view, 4)
  if (!head?.size) return 'whole'
  const at = head.next + head.size
  if (at + 4 > view.byteLength || view.getUint32(at) !== SEGMENT) return 'whole'
  const segment = readSize(view, at + 4)
  if (!segment) return 'whole'
  if (segment.size !== null && segment.next + segment.size > bytes) return 'endsEarly'
  return outlineOfElements(read, segment.next, segment.size === null ? bytes : segment.next + segment.size)
}

/** An identifier has as many bytes as the first one has leading zeros, plus one; at most four. */
async function outlineOfElements(read: ReadRange, start: number, end: number): Promise<Outline> {
  let position = start
  for (let count = 0; position + 2 <= end; count++) {
    if (count === MAX_BOXES) return 'tooMany'
    const view = viewOf(await read(position, Math.min(position + 12, end)))
    const element = readSize(view, Math.clz32(view.getUint8(0)) - 23)
    // Not an element, or one without a size, which only a parser can step over.
    if (!element || element.size === null) return 'whole'
    position += element.next + element.size
  }
  return 'whole'
}

/** Reads small parts a page at a time, so that small boxes side by side do not cost a read each. */
export function byPages(read: ReadRange, bytes: number): ReadRange {
  let page: { start: number; end: number; bytes: Uint8Array } = { start: 0, end: 0, bytes: new Uint8Array() }
  return async (start, end) => {
    if (start < page.start || end > page.end) {
      const until = Math.min(start + PAGE_BYTES, bytes)
      page = { start, end: until, bytes: await read(start, until) }
    }
    return page.bytes.subarray(start - page.start, end - page.start)
  }
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
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
