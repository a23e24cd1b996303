import {
  confirmByLookup,
  failedFinding,
  failedPublishing,
  retryFrom,
  whileFinding,
  whilePublishing,
} from '../kit/outcomes.ts'
import { record } from '../kit/read-json.ts'
import type { Attempt, Connector, FindOutcome, PublishOutcome } from '../network.ts'
import { LIMITS } from './manifest.ts'
import { errors, parseError } from './outcomes.ts'
import { prepare } from './prepare.ts'
import { type Place, placeOf, readState, renewTime } from './state.ts'
import { sentText } from './text.ts'
import { call, readPost } from './wire.ts'

export const POSTS = 'app.bsky.feed.post'

/**
 * Bluesky lets the client choose the key of a record. It is chosen before anything else, so when an answer is lost, the
 * post is either in its place or it is not; and writing it twice changes nothing.
 */
export const connector: Connector = {
  wordsOf: ({ caption }) => ({ text: sentText(caption).text }),
  // Before links were shortened.
  formerWordsOf: ({ caption }) => ({ text: caption }),
  prepare,
  publish,
  // Never asked: a post is there when the server has answered.
  confirm: confirmByLookup(find, 'It is not known whether Bluesky has the post.'),
  find,
}

async function publish(attempt: Attempt): Promise<PublishOutcome> {
  const chosen = placeOf(attempt.handles)
  if (!chosen) return retryFrom('prepare', 'The post was not prepared.')
  const place = await renewTime(attempt, chosen)
  const post = postAt(attempt, place)
  const answer = await call(attempt, 'com.atproto.repo.putRecord', {
    token: attempt.credentials.accessJwt,
    json: {
      repo: attempt.account.externalId,
      collection: POSTS,
      rkey: place.rkey,
      // Only where nothing stands, or the very same.
      swapRecord: null,
      record: recordOf(attempt, place),
    },
    parse: (json) => (record(json)?.uri === post.providerId ? post : undefined),
  })
  if (answer.kind === 'ok') return { kind: 'published', ...post }
  if (answer.kind === 'failed') return failedPublishing(answer)
  const { meaning } = errors.lookUp(answer.answer, attempt.now())
  // The uploads are gone: what is to be prepared again must not be taken for prepared.
  if (meaning.kind === 'again') await attempt.store({ blobs: [], videoJob: null, card: null })
  return whilePublishing(meaning)
}

async function find(attempt: Attempt): Promise<FindOutcome> {
  const place = placeOf(attempt.handles)
  // Without a place nothing was ever sent.
  if (!place) return { kind: 'absent' }
  const asked = await call(attempt, 'com.atproto.repo.getRecord', {
    query: { repo: attempt.account.externalId, collection: POSTS, rkey: place.rkey },
    parse: (json) => readPost(json) ?? null,
  })
  if (asked.kind === 'failed') return failedFinding(asked)
  if (asked.kind === 'refused') {
    if (asked.answer.status === 400 && parseError(asked.answer).name === 'RecordNotFound') return { kind: 'absent' }
    return whileFinding(errors.lookUp(asked.answer, attempt.now()).meaning)
  }
  const post = postAt(attempt, place)
  // The time in milliseconds is as good as a signature; the text may have been edited since.
  const times = [place.createdAt, ...readState(attempt.handles).earlier]
  if (asked.value?.uri !== post.providerId || !times.includes(asked.value.createdAt)) {
    return { kind: 'cannot-tell', message: 'Something else stands where the post belongs.' }
  }
  return { kind: 'found', ...post }
}

function postAt({ account: { externalId }, endpoint }: Attempt, { rkey }: Place) {
  return {
    providerId: `at://${externalId}/${POSTS}/${rkey}`,
    permalink: `${endpoint('web')}/profile/${externalId}/post/${rkey}`,
  }
}

/** The same handles give the same record, so that sending it twice changes nothing. */
function recordOf(attempt: Attempt, { createdAt }: Place) {
  const { facets } = readState(attempt.handles)
  const { languageCode } = attempt.account.defaults
  // JSON leaves out what is undefined.
  return {
    $type: POSTS,
    text: attempt.words.text,
    createdAt,
    langs: typeof languageCode === 'string' ? [languageCode] : undefined,
    facets: facets?.length ? facets : undefined,
    embed: embedOf(attempt),
  }
}

function embedOf({ post, handles }: Attempt): object | undefined {
  const { blobs, card } = readState(handles)
  const images = post.media.map(({ facts, altText }, index) => {
    const image = blobs[index]
    if (!image) throw new Error('A post is to be sent before its media are uploaded.')
    return { alt: altText ?? '', image, aspectRatio: { width: facts.width, height: facts.height } }
  })
  const [first] = images
  if (!first) return card === null || card === 'none' ? undefined : { $type: 'app.bsky.embed.external', external: card }
  const isVideo = post.media[0]?.facts.type === 'VIDEO'
  if (isVideo || first.image.mimeType.startsWith('video/')) {
    const { image: video, ...rest } = first
    return { $type: 'app.bsky.embed.video', video, ...rest, ...(isVideo ? {} : { presentation: 'gif' }) }
  }
  if (images.length <= LIMITS.imagesWithoutGallery.value) return { $type: 'app.bsky.embed.images', images }
  const $type = 'app.bsky.embed.gallery'
  return { $type, items: images.map((image) => ({ $type: `${$type}#image`, ...image })) }
}
