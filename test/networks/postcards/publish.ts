import { pages } from '../../../src/networks/kit/api.ts'
import { afterVisibleCall } from '../../../src/networks/kit/flow.ts'
import { fittedImage } from '../../../src/networks/kit/images.ts'
import { comparable, lookUp } from '../../../src/networks/kit/lookup.ts'
import { confirmByLookup, retryFrom } from '../../../src/networks/kit/outcomes.ts'
import { obeyPending, type Stop, stopAfter } from '../../../src/networks/kit/pending.ts'
import type { Attempt, Connector, FindOutcome, PrepareOutcome, PublishOutcome } from '../../../src/networks/network.ts'
import { call, parseCard, parseCards, parsePicture } from './api.ts'
import { limits } from './manifest.ts'
import { errors } from './outcomes.ts'
import { dropped, readState } from './state.ts'

const UNKNOWN = 'Postcards did not say clearly whether it sent the card.'
/** The network's clock and ours may differ by so much. */
const CLOCK_SKEW_MS = 60_000
/** Cards of an account in some minutes; more pages are not looked through. */
const MAX_PAGES = 3

/** A card that was cut off on its way is looked for by its pictures, else by its text. */
export const connector: Connector = {
  wordsOf: ({ caption }) => ({ text: caption }),
  prepare,
  publish,
  confirm: confirmByLookup(find, UNKNOWN),
  find,
}

/** Sends the pictures. No one sees them before their card is sent. */
async function prepare(attempt: Attempt): Promise<PrepareOutcome> {
  const stop = await obeyPending(attempt, dropped)
  if (stop) return stop
  if (readState(attempt.handles).cardId !== null) return { kind: 'ready' }
  return (await sendPictures(attempt)) ?? { kind: 'ready' }
}

async function sendPictures(attempt: Attempt): Promise<Stop | null> {
  let { pictures } = readState(attempt.handles)
  for (const { source } of attempt.post.media.slice(pictures.length)) {
    const file = await fittedImage(source, {
      mimeTypes: ['image/jpeg', 'image/png'],
      maxBytes: limits.pictureBytes.value,
      maxWidth: limits.pictureSide.value,
      maxHeight: limits.pictureSide.value,
    })
    const sent = await call(attempt, {
      method: 'POST',
      path: 'v1/pictures',
      file: { source: file },
      timeoutMs: 60_000,
      parse: parsePicture,
    })
    if (sent.kind !== 'ok') return stopAfter(attempt, sent, errors, dropped)
    pictures = [...pictures, sent.value.id]
    await attempt.store({ pictures })
  }
  return null
}

/** One call sends the card. */
async function publish(attempt: Attempt): Promise<PublishOutcome> {
  const { post, account } = attempt
  const { pictures, cardId, link } = readState(attempt.handles)
  if (cardId !== null) return { kind: 'published', providerId: cardId, permalink: link }
  if (pictures.length !== post.media.length) return retryFrom('prepare', 'The pictures have to be sent first.')
  const answer = await call(attempt, {
    method: 'POST',
    path: 'v1/cards',
    json: {
      text: attempt.words.text,
      stamp: post.fields.stamp,
      readers: account.defaults.readers,
      pictures: pictures.map((picture, index) => ({ picture, words: post.media[index]?.altText ?? '' })),
    },
    // The attempt's signal is the limit of this call.
    timeoutMs: 300_000,
    parse: parseCard,
  })
  return afterVisibleCall(attempt, answer, {
    classify: errors.classify,
    unclear: UNKNOWN,
    dropped,
    async made({ id, link }) {
      await attempt.store({ cardId: id, link })
      return { kind: 'published', providerId: id, permalink: link }
    },
  })
}

/** A picture is on one card alone; without one the text and the time identify a card. */
async function find(attempt: Attempt): Promise<FindOutcome> {
  const { pictures, cardId, link } = readState(attempt.handles)
  if (cardId !== null) return { kind: 'found', providerId: cardId, permalink: link }
  const found = await lookUp(attempt, {
    title: 'Postcards',
    skewMs: CLOCK_SKEW_MS,
    list: (from) =>
      pages(MAX_PAGES, (next) =>
        call(attempt, {
          method: 'GET',
          path: 'v1/cards',
          query: { since: from.toISOString(), ...(next === null ? {} : { after: next }) },
          timeoutMs: 15_000,
          parse: parseCards,
        }),
      ),
    id: ({ id }) => id,
    at: ({ at }) => at,
    match(card, { text = '' }) {
      if (pictures.length > 0) return card.pictures.some((id) => pictures.includes(id)) ? 'own' : null
      return card.pictures.length === 0 && comparable(card.text) === comparable(text) ? 'same' : null
    },
    meaningOf: (answer) => errors.lookUp(answer, attempt.now()).meaning,
  })
  if (found.kind !== 'entry') return found
  return { kind: 'found', providerId: found.entry.id, permalink: found.entry.link }
}
