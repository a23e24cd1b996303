import type { Attempt, FindOutcome } from '../network.ts'
import { failedFinding, whileFinding } from '../toolkit/outcomes.ts'
import { judge } from './outcomes.ts'
import { wordsOf } from './pin.ts'
import { readState } from './state.ts'
import { type Called, call, type Page, type Pin, parsePage, parsePin } from './wire.ts'

/** The network's clock and ours may differ by so much. */
const CLOCK_SKEW_MS = 60_000
const PAGE_SIZE = 100
const MAX_PAGES = 5

/**
 * Looks on the board for a pin of these words that is no older than the visible call. A pin that has the texts and not
 * all of the rest, or all of it with a text cut short, may be ours all the same, changed by the network: then nobody can
 * tell.
 */
export async function find(attempt: Attempt): Promise<FindOutcome> {
  const { boardId, pinId } = readState(attempt.handles)
  if (pinId !== null) return found(attempt, pinId)
  // The board is settled before anything visible is sent.
  if (boardId === null) return { kind: 'absent' }
  const from = new Date((attempt.fencedAt ?? attempt.now()).getTime() - CLOCK_SKEW_MS)
  const listed = await listNewPins(attempt, boardId, from)
  if (listed.kind !== 'pins') return listed
  const similar = listed.pins.filter((pin) => hasTexts(pin, attempt.post) || isCut(pin, attempt.post))
  const [same, ...others] = similar.filter((pin) => pin.at !== null && isSame(pin, attempt.post))
  if (same && others.length === 0) return found(attempt, same.id)
  if (similar.length > 0) {
    return { kind: 'cannot-tell', message: 'The board on Pinterest has pins that may or may not be this one.' }
  }
  if (!listed.complete) {
    return { kind: 'cannot-tell', message: 'The board on Pinterest has more pins than can be looked through.' }
  }
  return { kind: 'absent' }
}

function found(attempt: Attempt, pinId: string): FindOutcome {
  return { kind: 'found', providerId: pinId, permalink: permalinkOf(attempt, pinId) }
}

/** The network does not tell addresses of pins; they are made of their ids. */
export function permalinkOf(attempt: Attempt, pinId: string): string {
  return `${attempt.endpoint('www')}/pin/${pinId}/`
}

type Listed =
  | {
      kind: 'pins'
      pins: Pin[]
      /** No new pin can stand behind what was read. */
      complete: boolean
    }
  | Exclude<FindOutcome, { kind: 'found' | 'absent' }>

/**
 * Pins of a board since `from`. The network does not promise an order, so the reading ends early only where the pins so
 * far are seen to stand newest first.
 */
async function listNewPins(attempt: Attempt, boardId: string, from: Date): Promise<Listed> {
  const pins: Pin[] = []
  let bookmark: string | null = null
  for (let page = 0; page < MAX_PAGES; page++) {
    const asked: Called<Page<Pin>> = await call(attempt, {
      method: 'GET',
      path: `boards/${boardId}/pins`,
      query: { page_size: String(PAGE_SIZE), ...(bookmark === null ? {} : { bookmark }) },
      timeoutMs: 15_000,
      parse: parsePage(parsePin),
    })
    if (asked.kind === 'failed') return failedFinding(asked)
    if (asked.kind === 'refused') return whileFinding(judge(asked.answer, attempt.now()).meaning)
    pins.push(...asked.value.items)
    bookmark = asked.value.bookmark
    const complete = bookmark === null || goesBackBehind(pins, from)
    if (complete) return { kind: 'pins', pins: pins.filter(({ at }) => at === null || at >= from), complete }
  }
  return { kind: 'pins', pins: pins.filter(({ at }) => at === null || at >= from), complete: false }
}

/** Whether pins stand newest first, and the last of them is older than `from`. */
function goesBackBehind(pins: readonly Pin[], from: Date): boolean {
  const times = pins.map(({ at }) => at?.getTime() ?? Number.NaN)
  const last = times.at(-1)
  const sorted = times.every((time, index) => index === 0 || time <= (times[index - 1] ?? Number.NaN))
  return sorted && last !== undefined && last < from.getTime()
}

/** Every word of the pin is as it was sent. */
function isSame(pin: Pin, post: Attempt['post']): boolean {
  const { title, description, link, altText } = wordsOf(post)
  return (
    normalized(pin.title) === normalized(title) &&
    normalized(pin.description) === normalized(description) &&
    pin.link.trim() === link &&
    (pin.altText === null || normalized(pin.altText) === normalized(altText))
  )
}

/** Whether title and description are the same but for signs, spaces and how they are written in HTML. */
function hasTexts(pin: Pin, post: Attempt['post']): boolean {
  const { title, description } = wordsOf(post)
  return bare(pin.title) === bare(title) && bare(pin.description) === bare(description)
}

/** Whether all words may be the same if the network does not keep texts to their end. */
function isCut(pin: Pin, post: Attempt['post']): boolean {
  const { title, description, link, altText } = wordsOf(post)
  return (
    begins(pin.title, title) &&
    begins(pin.description, description) &&
    begins(pin.link, link) &&
    (pin.altText === null || begins(pin.altText, altText))
  )
}

/** Whether one is how the other begins. Nothing at all begins nothing: what is cut has a rest. */
function begins(one: string, other: string): boolean {
  if (one.trim() === '' || other.trim() === '') return one.trim() === other.trim()
  const [short = '', long = ''] = [bare(one), bare(other)].sort((a, b) => a.length - b.length)
  return long.startsWith(short)
}

/** The network may cut white space and compose characters anew. */
function normalized(text: string): string {
  return text.normalize('NFC').replace(/\s+/g, ' ').trim()
}

/** Letters and digits alone, in a form in which a text that is cut anywhere still begins as the whole does. */
function bare(text: string): string {
  return text
    .replace(/&(?:[a-z]+|#\d+|#x[\da-f]*)(?:;|$)/gi, '')
    .normalize('NFKD')
    .toUpperCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
}
