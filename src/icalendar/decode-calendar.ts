const [TAB, LF, CR, SPACE] = [0x09, 0x0a, 0x0d, 0x20]

/**
 * The text of a calendar, whose lines are put together again where they were folded: in its bytes, as programs fold within a letter too
 * (RFC 5545, 3.1).
 *
 * @param charset what the server calls it (RFC 5545, 8.1). Bytes that are UTF-8 are taken for that, whatever the server says; what says
 *   nothing and is no UTF-8 is Windows 1252
 */
export function decodeCalendar(bytes: Uint8Array, charset: string | null = null): string {
  const marked = markOf(bytes)
  const wide = marked ?? (charset !== null && /^utf-?16/i.test(charset) ? decoderOf(charset) : null)
  if (wide) return unfoldText(wide.decode(bytes))
  const unfolded = unfoldBytes(bytes)
  const named = decoderOf(charset)
  const isPlain = !unfolded.some((byte) => byte >= 0x80)
  if (isPlain) return (named ?? UTF_8).decode(unfolded)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(unfolded)
  } catch {
    const isOther = named !== null && named.encoding !== 'utf-8'
    return (isOther ? named : charset === null ? WINDOWS : UTF_8).decode(unfolded)
  }
}

const UTF_8 = new TextDecoder('utf-8')
const WINDOWS = new TextDecoder('windows-1252')

/** By the mark at its beginning. */
function markOf([first, second]: Uint8Array): InstanceType<typeof TextDecoder> | null {
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le')
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be')
  return null
}

/** Null for a name that no decoder knows. */
export function decoderOf(charset: string | null): InstanceType<typeof TextDecoder> | null {
  try {
    return charset === null ? null : new TextDecoder(charset)
  } catch {
    return null
  }
}

/** Without folds: a line break, and the space or tab behind it. */
function unfoldBytes(bytes: Uint8Array): Uint8Array {
  const from = withLineFeeds(bytes)
  const unfolded = new Uint8Array(from.length)
  let length = 0
  for (let at = 0; at < from.length; ) {
    const newline = from.indexOf(LF, at)
    const isFold = newline >= 0 && (from[newline + 1] === SPACE || from[newline + 1] === TAB)
    const until = newline < 0 ? from.length : isFold ? newline - (from[newline - 1] === CR ? 1 : 0) : newline + 1
    unfolded.set(from.subarray(at, Math.max(at, until)), length)
    length += Math.max(0, until - at)
    at = newline < 0 ? from.length : isFold ? newline + 2 : newline + 1
  }
  return unfolded.subarray(0, length)
}

/** Of old programs each line ends with CR alone. */
function withLineFeeds(bytes: Uint8Array): Uint8Array {
  return bytes.includes(LF) ? bytes : bytes.map((byte) => (byte === CR ? LF : byte))
}

const unfoldText = (text: string) =>
  (text.includes('\n') ? text : text.replaceAll('\r', '\n')).replaceAll(/\r?\n[ \t]/g, '')
