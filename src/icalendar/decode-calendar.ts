import { isUtf8 } from 'node:buffer'
import { decoderOf, UTF_8, utf8Of, WINDOWS } from './charsets.ts'
import { isQuotedPrintable } from './quoted-printable.ts'

const [TAB, LF, CR, SPACE, EQUALS] = [0x09, 0x0a, 0x0d, 0x20, 0x3d]
/** The first letter of BEGIN. */
const B = 0x42

/**
 * The text of a calendar, whose lines are put together again where they were folded: in its bytes, as programs fold within a letter too
 * (RFC 5545, 3.1).
 *
 * @param charset what the server calls it (RFC 5545, 8.1). Bytes that are UTF-8 are taken for that, also where the server says otherwise; what says
 *   nothing and is no UTF-8 is Windows 1252
 */
export function decodeCalendar(bytes: Uint8Array, charset: string | null = null): string {
  const wide = wideOf(bytes) ?? (charset !== null && /^utf-?16/i.test(charset) ? decoderOf(charset) : null)
  if (wide) return UTF_8.decode(unfoldBytes(Buffer.from(wide.decode(bytes))))
  const unfolded = unfoldBytes(bytes)
  const named = decoderOf(charset)
  const isPlain = !unfolded.some((byte) => byte >= 0x80)
  if (isPlain) return (named ?? UTF_8).decode(unfolded)
  const whole = utf8Of(unfolded)
  if (whole !== null) return whole
  // Servers say Latin of all that they have; another one is meant.
  if (named && named.encoding !== UTF_8.encoding && named.encoding !== WINDOWS.encoding) return named.decode(unfolded)
  return decodeLines(unfolded, named ?? (charset === null ? null : UTF_8))
}

type Decoder = InstanceType<typeof TextDecoder>

/** Line by line: where one was cut within a letter, or has a charset of its own, the others stay what they are. */
function decodeLines(bytes: Uint8Array, named: Decoder | null): string {
  const own = ownDecoders()
  const texts: string[] = []
  /** Lines of one charset that follow each other. */
  let run = { from: 0, by: UTF_8 }
  for (let at = 0; at < bytes.length; ) {
    const newline = bytes.indexOf(LF, at)
    const until = newline < 0 ? bytes.length : newline + 1
    const line = bytes.subarray(at, until)
    const by = isUtf8(line) ? UTF_8 : (own(line) ?? named ?? (isDamaged(line) ? UTF_8 : WINDOWS))
    if (by !== run.by) {
      texts.push(run.by.decode(bytes.subarray(run.from, at)))
      run = { from: at, by }
    }
    at = until
  }
  return [...texts, run.by.decode(bytes.subarray(run.from))].join('')
}

const SEMICOLON = 0x3b
const CHARSET = /^[A-Z0-9-]+;(?:[^:]*;)?CHARSET="?([A-Z0-9_-]+)/i

/** Of the charsets that lines name themselves, each made once; null for a line that names none, or UTF-8, which it is not. */
function ownDecoders(): (line: Uint8Array) => Decoder | null {
  const known = new Map<string, Decoder | null>()
  return (line) => {
    const name = line.includes(SEMICOLON) ? CHARSET.exec(headOf(line))?.[1] : undefined
    if (name === undefined) return null
    const found = known.get(name)
    if (found !== undefined) return found
    const made = decoderOf(name)
    const decoder = made?.encoding === UTF_8.encoding ? null : made
    known.set(name, decoder)
    return decoder
  }
}

/** Whether bytes that are no UTF-8 are it but for a few: what begins a letter is mostly followed by what goes on with one. */
function isDamaged(line: Uint8Array): boolean {
  let [whole, broken] = [0, 0]
  for (let at = 0; at < line.length; at++) {
    if ((line[at] ?? 0) < 0x80) continue
    const begins = (line[at] ?? 0) >= 0xc2 && goesOn(line[at + 1])
    if (begins) whole++
    else broken++
    while (begins && goesOn(line[at + 1])) at++
  }
  return whole > 0 && whole >= broken
}

const goesOn = (byte = 0) => byte >> 6 === 2

const headOf = (line: Uint8Array) => WINDOWS.decode(line.subarray(0, 300))

/** By the mark at its beginning, or by how wide its first letter is. */
function wideOf([first, second]: Uint8Array): InstanceType<typeof TextDecoder> | null {
  if ((first === 0xff && second === 0xfe) || (first === B && second === 0)) return new TextDecoder('utf-16le')
  if ((first === 0xfe && second === 0xff) || (first === 0 && second === B)) return new TextDecoder('utf-16be')
  return null
}

/**
 * Without folds: a line break, and the space or tab behind it. A line of quoted-printable that ends with `=` is none: the space behind it
 * belongs to the text.
 */
function unfoldBytes(bytes: Uint8Array): Uint8Array {
  const from = withLineFeeds(bytes)
  const unfolded = new Uint8Array(from.length)
  let length = 0
  let lineAt = 0
  for (let at = 0; at < from.length; ) {
    const newline = from.indexOf(LF, at)
    const end = newline < 0 ? from.length : newline - (newline > at && from[newline - 1] === CR ? 1 : 0)
    unfolded.set(from.subarray(at, end), length)
    length += end - at
    if (newline < 0) break
    const isFolded = from[newline + 1] === SPACE || from[newline + 1] === TAB
    const isSoft = unfolded[length - 1] === EQUALS && isQuotedPrintable(headOf(unfolded.subarray(lineAt)))
    at = newline + 1
    if (isFolded && !isSoft) at++
    else unfolded[length++] = LF
    if (!isFolded && !isSoft) lineAt = length
  }
  return unfolded.subarray(0, length)
}

/** Of old programs each line ends with CR alone. */
function withLineFeeds(bytes: Uint8Array): Uint8Array {
  return bytes.includes(LF) ? bytes : bytes.map((byte) => (byte === CR ? LF : byte))
}
