import { type Called, type Listing, pages } from '../kit/api.ts'
import { comparable, goesBackBehind, lookUp } from '../kit/lookup.ts'
import type { Attempt, FindOutcome } from '../network.ts'
import { errors } from './outcomes.ts'
import { wordsOf } from './pin.ts'
import { readState } from './state.ts'
import { call, type Pin, parsePage, parsePin } from './wire.ts'

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
  const { post } = attempt
  const told = await lookUp(attempt, {
    title: 'Pinterest',
    skewMs: CLOCK_SKEW_MS,
    list: (from) => listPins(attempt, boardId, from),
    at: ({ at }) => at,
    match(pin) {
      if (pin.at !== null && isSame(pin, post)) return 'same'
      return hasTexts(pin, post) || isCut(pin, post) ? 'similar' : null
    },
    meaningOf: (answer) => errors.lookUp(answer, attempt.now()).meaning,
  })
  return told.kind === 'entry' ? found(attempt, told.entry.id) : told
}

function found(attempt: Attempt, pinId: string): FindOutcome {
  return { kind: 'found', providerId: pinId, permalink: permalinkOf(attempt, pinId) }
}

/** The network does not tell addresses of pins; they are made of their ids. */
export function permalinkOf(attempt: Attempt, pinId: string): string {
  return `${attempt.endpoint('www')}/pin/${pinId}/`
}

/** The network does not promise an order, so the reading ends early only where pins are seen to stand newest first. */
function listPins(attempt: Attempt, boardId: string, from: Date): Promise<Called<Listing<Pin>>> {
  return pages(
    MAX_PAGES,
    (bookmark) =>
      call(attempt, {
        method: 'GET',
        path: `boards/${boardId}/pins`,
        query: { page_size: String(PAGE_SIZE), ...(bookmark === null ? {} : { bookmark }) },
        timeoutMs: 15_000,
        parse: parsePage(parsePin),
      }),
    (pins) => goesBackBehind(pins, from, ({ at }) => at),
  )
}

/** Every word of the pin is as it was sent. */
function isSame(pin: Pin, post: Attempt['post']): boolean {
  const { title, description, link, altText } = wordsOf(post)
  return (
    comparable(pin.title) === comparable(title) &&
    comparable(pin.description) === comparable(description) &&
    pin.link.trim() === link &&
    (pin.altText === null || comparable(pin.altText) === comparable(altText))
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

/** Letters and digits alone, in a form in which a text that is cut anywhere still begins as the whole does. */
function bare(text: string): string {
  return text
    .replace(/&(?:[a-z]+|#\d+|#x[\da-f]*)(?:;|$)/gi, '')
    .normalize('NFKD')
    .toUpperCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
}
