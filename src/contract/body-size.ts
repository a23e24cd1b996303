import * as LIMITS from './limits.ts'
import { entryAt, ProblemError } from './problem.ts'

/** How much a JSON text holds, as far as it was read. */
interface BodySize {
  /** Keys of objects and elements of lists, in all. */
  elements: number
  /** Lists and objects that lie in each other. */
  depth: number
  /** Bytes that were looked at. */
  bytes: number
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const OPEN = [0x5b, 0x7b] as const
const CLOSE = [0x5d, 0x7d] as const

/**
 * Counts the keys and elements of a JSON text in UTF-8 without parsing it, and stops at a limit. For a text that is
 * not JSON the numbers are meaningless; the parser refuses it.
 */
export function measureBody(json: Uint8Array, most: number = LIMITS.bodyElements): BodySize {
  let [elements, depth, deepest, at] = [0, 0, 0, 0]
  // A list or an object was opened, and nothing of it was met yet.
  let isNew = false
  for (; at < json.length && elements <= most && deepest <= LIMITS.bodyDepth; at++) {
    const byte = json[at] ?? 0
    // White space, and what lies outside of JSON.
    if (byte <= 0x20) continue
    const closes = byte === CLOSE[0] || byte === CLOSE[1]
    if (byte === COMMA || (isNew && !closes)) elements++
    isNew = false
    if (byte === QUOTE) at = endOfText(json, at)
    else if (byte === OPEN[0] || byte === OPEN[1]) {
      depth++
      deepest = Math.max(deepest, depth)
      isNew = true
    } else if (closes) depth--
  }
  return { elements, depth: deepest, bytes: Math.min(at, json.length) }
}

/** The place of the quotation mark that ends the text that begins at `start`. */
function endOfText(json: Uint8Array, start: number): number {
  for (let at = start + 1; at < json.length; at++) {
    if (json[at] === BACKSLASH) at++
    else if (json[at] === QUOTE) return at
  }
  return json.length
}

/**
 * Refuses a body that holds more than any request needs, before it is parsed: the cost of reading it and of
 * describing its problems grows with its content.
 *
 * @param most keys and elements in all
 * @throws ProblemError `request:invalid_body` with one problem, which names the bound
 */
export function refuseLargeBody(json: Uint8Array, most: number = LIMITS.bodyElements): void {
  const { elements, depth } = measureBody(json, most)
  if (elements > most) throw over(most, `holds more than ${most} keys and elements in all`)
  if (depth > LIMITS.bodyDepth) throw over(LIMITS.bodyDepth, `is nested deeper than ${LIMITS.bodyDepth} levels`)
}

function over(limit: number, words: string): ProblemError {
  const message = `The body ${words}. Send less in one request.`
  const code = 'request:invalid_body'
  return new ProblemError(code, message, { entries: [entryAt([], code, message, { limit })] })
}
