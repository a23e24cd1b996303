import { isDeepStrictEqual } from 'node:util'
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
import { loadLibrary } from './facets.ts'
import { gatesOf } from './gates.ts'
import { LIMITS } from './manifest.ts'
import { errors, parseError } from './outcomes.ts'
import { prepare } from './prepare.ts'
import { type Place, placeOf, readState, renewTime } from './state.ts'
import { partsOf, wordsOf } from './thread.ts'
import { call, cidOfRecord, readPost, readWritten } from './wire.ts'

export const POSTS = 'app.bsky.feed.post'

/**
 * Bluesky lets the client choose the key of a record. It is chosen before anything else, so when an answer is lost, the
 * post is either in its place or it is not; and writing it twice changes nothing.
 */
export const connector: Connector = {
  wordsOf,
  // Before links were shortened.
  formerWordsOf: ({ caption }) => ({ text: caption }),
  prepare,
  publish,
  // Never asked: a post is there when the server has answered.
  confirm: confirmByLookup(find, 'It is not known whether Bluesky has the post.'),
  find,
  load: loadLibrary,
}

async function publish(attempt: Attempt): Promise<PublishOutcome> {
  const chosen = placeOf(attempt.handles)
  if (!chosen) return retryFrom('prepare', 'The post was not prepared.')
  await renewTime(attempt, chosen)
  const parts = partsOf(attempt)
  const gates = gatesAt(attempt)
  const isAlone = parts.length === 1 && gates.length === 0
  const answer = await (isAlone ? putPost(attempt) : putTogether(parts, gates))
  if (answer.kind === 'ok') return { kind: 'published', ...madeOf(parts) }
  if (answer.kind === 'failed') return failedPublishing(answer)
  const { meaning } = errors.lookUp(answer.answer, attempt.now())
  if (!isAlone && (meaning.kind === 'ambiguous' || meaning.kind === 'refused')) {
    // What is there is refused like what is wrong.
    const found = await find(attempt)
    if (found.kind === 'found') return { ...found, kind: 'published' }
  }
  // The uploads are gone: what is to be prepared again must not be taken for prepared.
  if (meaning.kind === 'again') for (const part of parts) await part.store({ blobs: [], videoJob: null, card: null })
  return whilePublishing(meaning)
}

function putPost(attempt: Attempt) {
  const place = chosenPlace(attempt)
  return call(attempt, 'com.atproto.repo.putRecord', {
    token: attempt.credentials.accessJwt,
    json: {
      repo: attempt.account.externalId,
      collection: POSTS,
      rkey: place.rkey,
      // Only where nothing stands, or the very same.
      swapRecord: null,
      record: recordOf(attempt, place),
    },
    parse: (json) => (record(json)?.uri === postAt(attempt).providerId ? true : undefined),
  })
}

const gatesAt = (attempt: Attempt) => gatesOf(attempt, postAt(attempt).providerId, chosenPlace(attempt).createdAt)

/**
 * All parts in one commit of the account's repository, with what says who may reply and quote, so that no one can before it holds:
 * there are all or none of them. Refused where one is there already.
 */
async function putTogether(parts: readonly [Attempt, ...Attempt[]], gates: ReturnType<typeof gatesOf>) {
  const [attempt] = parts
  const { externalId: repo } = attempt.account
  const { rkey } = chosenPlace(attempt)
  const beside = gates.map(({ collection, record: value }) => ({ $type: CREATE, collection, rkey, value }))
  const uris = [
    ...parts.map((part) => postAt(part).providerId),
    ...gates.map(({ collection }) => `at://${repo}/${collection}/${rkey}`),
  ]
  return call(attempt, 'com.atproto.repo.applyWrites', {
    token: attempt.credentials.accessJwt,
    json: { repo, writes: [...(await writesOf(parts)), ...beside] },
    parse: (json) => isDeepStrictEqual(readWritten(json)?.uris, uris) || undefined,
  })
}

const CREATE = 'com.atproto.repo.applyWrites#create'

/** Each part answers the one before by its id, which is that of its content: so all are known before anything is sent. */
async function writesOf(parts: readonly Attempt[]): Promise<object[]> {
  const writes: object[] = []
  let root: Ref | null = null
  let parent: Ref | null = null
  for (const part of parts) {
    const place = chosenPlace(part)
    const value: object = { ...recordOf(part, place), ...(root && parent ? { reply: { root, parent } } : {}) }
    writes.push({ $type: CREATE, collection: POSTS, rkey: place.rkey, value })
    parent = { uri: postAt(part).providerId, cid: await cidOfRecord(value) }
    root ??= parent
  }
  return writes
}

type Ref = { uri: string; cid: string }

async function find(attempt: Attempt): Promise<FindOutcome> {
  // Without a place nothing was ever sent.
  if (!placeOf(attempt.handles)) return { kind: 'absent' }
  const parts = partsOf(attempt)
  const found = { kind: 'found' as const, ...madeOf(parts) }
  const first = await findPart(attempt)
  const last = parts.at(-1)
  if (first.kind !== 'absent' || !last || parts.length === 1) return first.kind === 'found' ? found : first
  // The owner may have deleted the first one: where another part is, all were.
  const other = await findPart(last)
  return other.kind === 'found' ? found : other
}

async function findPart(attempt: Attempt): Promise<Exclude<FindOutcome, { kind: 'found' }> | { kind: 'found' }> {
  const place = chosenPlace(attempt)
  const asked = await call(attempt, 'com.atproto.repo.getRecord', {
    query: { repo: attempt.account.externalId, collection: POSTS, rkey: place.rkey },
    parse: (json) => readPost(json) ?? null,
  })
  if (asked.kind === 'failed') return failedFinding(asked)
  if (asked.kind === 'refused') {
    if (asked.answer.status === 400 && parseError(asked.answer).name === 'RecordNotFound') return { kind: 'absent' }
    return whileFinding(errors.lookUp(asked.answer, attempt.now()).meaning)
  }
  // The time in milliseconds is as good as a signature; the text may have been edited since.
  const times = [place.createdAt, ...readState(attempt.handles).earlier]
  if (asked.value?.uri !== postAt(attempt).providerId || !times.includes(asked.value.createdAt)) {
    return { kind: 'cannot-tell', message: 'Something else stands where the post belongs.' }
  }
  return { kind: 'found' }
}

function madeOf([post, ...thread]: readonly [Attempt, ...Attempt[]]) {
  return { ...postAt(post), ...(thread.length === 0 ? {} : { thread: thread.map(postAt) }) }
}

/** @throws Error before one was chosen */
function chosenPlace({ handles }: Attempt): Place {
  const place = placeOf(handles)
  if (!place) throw new Error('A post has no place yet.')
  return place
}

function postAt(attempt: Attempt) {
  const { externalId } = attempt.account
  const { rkey } = chosenPlace(attempt)
  return {
    providerId: `at://${externalId}/${POSTS}/${rkey}`,
    permalink: `${attempt.endpoint('web')}/profile/${externalId}/post/${rkey}`,
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
