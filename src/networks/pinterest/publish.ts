import { type Called, type Listing, pages } from '../kit/api.ts'
import { afterVisibleCall } from '../kit/flow.ts'
import { CLOCK_SKEW_MS, comparable, goesBackBehind, lookUp } from '../kit/lookup.ts'
import { confirmByLookup, retryFrom } from '../kit/outcomes.ts'
import { obeyPending } from '../kit/pending.ts'
import { fittedVideo } from '../kit/videos.ts'
import type { Attempt, Connector, FindOutcome, PrepareOutcome, PublishOutcome, Words } from '../network.ts'
import { boardOf } from './fields.ts'
import { errors } from './outcomes.ts'
import { fitImages, pinBody, wordsOf } from './pin.ts'
import { readState } from './state.ts'
import { prepareVideo } from './upload.ts'
import { call, type Pin, parsePin, readPage } from './wire.ts'

const PAGE_SIZE = 100
const MAX_PAGES = 5
const UNKNOWN = 'Pinterest did not say clearly whether it made the pin.'

export const connector: Connector = { wordsOf, prepare, publish, confirm: confirmByLookup(find, UNKNOWN), find }

/** Settles the board, converts images and sends the video. Nothing of it is visible. */
async function prepare(attempt: Attempt): Promise<PrepareOutcome> {
  const { post, account } = attempt
  const stop = await obeyPending(attempt, {})
  if (stop) return stop
  if (readState(attempt.handles).boardId === null) {
    const boardId = boardOf(post.fields, account.defaults)
    if (boardId === null) {
      return { kind: 'refused', reason: 'UNKNOWN', message: 'The post has no board on Pinterest. Choose one.' }
    }
    await attempt.store({ boardId })
  }
  const video = post.media.find(({ facts }) => facts.type === 'VIDEO')
  const file = video ? await fittedVideo(video.source, { mimeTypes: ['video/mp4', 'video/quicktime'] }) : null
  if (file && 'kind' in file) return file
  const outcome: PrepareOutcome = file ? await prepareVideo(attempt, file) : { kind: 'ready' }
  if (outcome.kind === 'ready') await fitImages(post)
  return outcome
}

/** Makes the pin: one call. Another try begins in `prepare`, which asks for the state of a video. */
async function publish(attempt: Attempt): Promise<PublishOutcome> {
  const { boardId, mediaId, pinId } = readState(attempt.handles)
  if (pinId !== null) return { kind: 'published', ...placeOf(attempt, pinId) }
  if (boardId === null) return retryFrom('prepare', 'Nothing was prepared.')
  const answer = await call(attempt, {
    method: 'POST',
    path: 'pins',
    json: await pinBody(attempt, { boardId, mediaId }),
    // The attempt's signal is the limit of this call.
    timeoutMs: 300_000,
    parse: parsePin,
  })
  return afterVisibleCall(attempt, answer, {
    classify: errors.classify,
    unclear: UNKNOWN,
    async made({ id }) {
      await attempt.store({ pinId: id })
      return { kind: 'published', ...placeOf(attempt, id) }
    },
  })
}

/**
 * Looks on the board for a pin of these words that is no older than the visible call. A pin that has the texts and not
 * all of the rest, or all of it with a text cut short, may be ours all the same, changed by the network: then it
 * cannot be decided.
 */
async function find(attempt: Attempt): Promise<FindOutcome> {
  const { boardId, pinId } = readState(attempt.handles)
  if (pinId !== null) return { kind: 'found', ...placeOf(attempt, pinId) }
  // The board is settled before anything visible is sent.
  if (boardId === null) return { kind: 'absent' }
  const reported = await lookUp(attempt, {
    title: 'Pinterest',
    skewMs: CLOCK_SKEW_MS,
    list: (from) => listPins(attempt, boardId, from),
    id: ({ id }) => id,
    at: ({ at }) => at,
    match,
    meaningOf: (answer) => errors.lookUp(answer, attempt.now()).meaning,
  })
  return reported.kind === 'entry' ? { kind: 'found', ...placeOf(attempt, reported.entry.id) } : reported
}

/** The network does not give addresses of pins; they are made of their ids. */
const placeOf = (attempt: Attempt, pinId: string) => ({
  providerId: pinId,
  permalink: `${attempt.endpoint('www')}/pin/${pinId}/`,
})

/** The network does not promise an order, so the reading ends early only where pins are seen to stand newest first. */
function listPins(attempt: Attempt, boardId: string, from: Date): Promise<Called<Listing<Pin>>> {
  const listing = { path: `boards/${boardId}/pins`, size: PAGE_SIZE, parse: parsePin }
  const isOver = (pins: readonly Pin[]) => goesBackBehind(pins, from, ({ at }) => at)
  return pages(MAX_PAGES, (bookmark) => readPage(attempt, listing, bookmark), isOver)
}

const NO_WORDS = { title: '', description: '', link: '', altText: '' }

/** `same`: every word is as it was sent. `similar`: the texts may be, or all of it may be if texts are cut. */
function match(pin: Pin, words: Words): 'same' | 'similar' | null {
  const sent = { ...NO_WORDS, ...words }
  const texts = (is: (one: string, other: string) => boolean) =>
    is(pin.title, sent.title) && is(pin.description, sent.description)
  const altText = (is: (one: string, other: string) => boolean) => pin.altText === null || is(pin.altText, sent.altText)
  const equal = (one: string, other: string) => comparable(one) === comparable(other)
  if (pin.at !== null && texts(equal) && pin.link.trim() === sent.link && altText(equal)) return 'same'
  // But for signs, spaces and how they are written in HTML.
  if (texts((one, other) => bare(one) === bare(other))) return 'similar'
  return texts(begins) && begins(pin.link, sent.link) && altText(begins) ? 'similar' : null
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
