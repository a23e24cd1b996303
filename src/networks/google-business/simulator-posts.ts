import { randomInt } from 'node:crypto'
import type { SimulatedAnswer } from '../kit/faults.ts'
import { measureImage } from '../kit/measure-image.ts'
import { record, string, webAddress } from '../kit/read-json.ts'
import type { SimulatorDeps } from '../kit/simulation.ts'
import { type Call, deletePost } from '../kit/simulator.ts'
import { CTA_TYPES } from './fields.ts'
import { limits } from './manifest.ts'
import { ledgerAccount, managedLocation, type Principal } from './simulator-accounts.ts'
import { listing, notFound, ok, pageSizeOf, refuse, refuseField, rpcError } from './simulator-answers.ts'

const COLLECTION = 'posts'
/** How long a post is looked at, by the simulator's clock. */
const REVIEW_MS = { text: 2_000, photo: 5_000 }
/** How long after going live a post gets its page in the search. */
const PAGE_AFTER_MS = 3_000
/** Listings show a post so much later than it was made. */
const LISTED_AFTER_MS = 10_000

/** A post as it is kept: of the location, by whichever account it was made. */
interface SimulatedPost {
  id: string
  /** `locations/9` */
  location: string
  accountId: string
  languageCode: string | null
  summary: string
  callToAction: { actionType: string; url?: string } | null
  sourceUrl: string | null
  at: string
  state: 'PROCESSING' | 'LIVE' | 'REJECTED'
  /** When it went live. */
  liveAt: string | null
  photo: { blobId: string; mimeType: string } | null
}

/** Codes of Google's list whose numbers are known or lie in its ranges. */
const CODES = { missing: 2, invalid: 3, tooMany: 5, range: 9, fetch: 1000, operation: 1300 }

const parentIn = ({ account, location }: Call['at']) => `accounts/${account}/locations/${location}`

/** `POST /v4/{parent}/localPosts`. Nothing is seen of the post yet. @throws SimulatedRefusal */
export function createPost({ deps, by, at }: Call<Principal>, body: unknown): SimulatedAnswer {
  const parent = parentIn(at)
  const location = managedLocation(by, parent)
  if (!location.canPost) refuseField(CODES.operation, '', 'LOCATION_DISABLED_FOR_LOCAL_POST_API')
  const post: SimulatedPost = {
    ...checkBody(body),
    id: String(randomInt(10 ** 12, 10 ** 13)),
    location: location.name,
    accountId: ledgerAccount(by, location),
    at: deps.now().toISOString(),
    state: 'PROCESSING',
    liveAt: null,
    photo: null,
  }
  deps.store.put(COLLECTION, post.id, post)
  return ok(shown(deps, post, parent))
}

/** An object with nothing but these names. */
function objectWith(given: unknown, ...known: string[]): Readonly<Record<string, unknown>> {
  const object = record(given) ?? refuse(rpcError(400, 'Invalid JSON payload received.'))
  const unknown = Object.keys(object).find((name) => !known.includes(name))
  if (unknown === undefined) return object
  return refuse(rpcError(400, `Invalid JSON payload received. Unknown name "${unknown}": Cannot find field.`))
}

function checkBody(body: unknown): Pick<SimulatedPost, 'languageCode' | 'summary' | 'callToAction' | 'sourceUrl'> {
  const post = objectWith(body, 'languageCode', 'summary', 'topicType', 'callToAction', 'media')
  const { languageCode = null, summary, topicType, callToAction, media = [] } = post
  if (languageCode !== null && !(typeof languageCode === 'string' && /^[A-Za-z]{2,3}(-\w+)*$/.test(languageCode))) {
    return refuseField(CODES.invalid, 'language_code')
  }
  if (topicType !== 'STANDARD') refuseField(CODES.invalid, 'topic_type')
  if (typeof summary !== 'string' || summary.trim() === '') {
    return refuseField(CODES.missing, 'summary', 'summary is required.')
  }
  const most = limits.summaryLength.value
  if ([...summary].length > most) refuseField(CODES.range, 'summary', `Must be at most ${most} characters`)
  return {
    languageCode,
    summary,
    callToAction: callToAction === undefined ? null : checkAction(callToAction),
    sourceUrl: checkMedia(media),
  }
}

function checkAction(given: unknown): { actionType: string; url?: string } {
  const { actionType, url } = objectWith(given, 'actionType', 'url')
  const type = CTA_TYPES.find((each) => each === actionType && each !== 'NONE')
  if (type === undefined) return refuseField(CODES.invalid, 'call_to_action.action_type')
  if (type === 'CALL') {
    if (url === undefined) return { actionType: type }
    return refuseField(CODES.invalid, 'call_to_action.url', 'Must not be set for a call to action of type CALL.')
  }
  // Given back in its usual form, whichever way it was written.
  const written = string(url) ?? ''
  const address = URL.canParse(written) ? webAddress(new URL(written).href) : null
  if (address === null) return refuseField(CODES.missing, 'call_to_action.url', 'A valid address is required.')
  return { actionType: type, url: address }
}

function checkMedia(items: unknown): string | null {
  if (!Array.isArray(items)) return refuse(rpcError(400, 'Invalid JSON payload received.'))
  if (items.length > 1) refuseField(CODES.tooMany, 'media', 'More than the maximum number of items.')
  if (items.length === 0) return null
  const { mediaFormat, sourceUrl } = objectWith(items[0], 'mediaFormat', 'sourceUrl')
  // A video in a post is a server error, every time.
  if (mediaFormat === 'VIDEO') refuse(rpcError(500, 'Internal error encountered.'))
  if (mediaFormat !== 'PHOTO') refuseField(CODES.invalid, 'media.media_format')
  return webAddress(sourceUrl) ?? refuseField(CODES.fetch, '', 'Fetching image failed.')
}

/**
 * Moves every post whose time has come out of PROCESSING: only now is its photo fetched. Posts appear in the ledger when
 * they go live.
 */
export async function reviewPosts(deps: SimulatorDeps): Promise<void> {
  const due = deps.store.list<SimulatedPost>(COLLECTION).filter(({ state, at, sourceUrl }) => {
    const lasts = sourceUrl === null ? REVIEW_MS.text : REVIEW_MS.photo
    return state === 'PROCESSING' && deps.now().getTime() >= new Date(at).getTime() + lasts
  })
  await Promise.all(due.map((post) => reviewOnce(deps, post)))
}

/** A plus or a zero and at least eight more digits. Google's policy allows no phone numbers in the text of posts. */
const PHONE_NUMBER = /(?:\+|\b0)\d(?:[\s().-]{0,2}\d){7,}/

/** Reviews under way, by simulator and post: a request that comes meanwhile waits for the same one. */
const underWay = new WeakMap<SimulatorDeps['store'], Map<string, Promise<void>>>()

function reviewOnce(deps: SimulatorDeps, post: SimulatedPost): Promise<void> {
  const reviews = underWay.get(deps.store) ?? new Map<string, Promise<void>>()
  underWay.set(deps.store, reviews)
  const begun = reviews.get(post.id)
  if (begun) return begun
  const reviewing = review(deps, post).finally(() => reviews.delete(post.id))
  reviews.set(post.id, reviewing)
  return reviewing
}

/** No reason is ever given. */
async function review(deps: SimulatorDeps, post: SimulatedPost): Promise<void> {
  const photo = post.sourceUrl === null ? null : await photoAt(deps, post.sourceUrl)
  const isLive = !PHONE_NUMBER.test(post.summary) && (photo !== null || post.sourceUrl === null)
  const { languageCode, callToAction, sourceUrl, location } = post
  const liveAt = isLive ? deps.now().toISOString() : null
  deps.store.together(() => {
    if (isLive) {
      deps.store.addPost({
        id: nameOf(post),
        accountId: post.accountId,
        text: post.summary,
        permalink: pageOf(deps, post),
        createdAt: post.at,
        ...(photo ? { media: [photo] } : {}),
        details: { location, languageCode, callToAction, sourceUrl },
      })
    }
    deps.store.put(COLLECTION, post.id, { ...post, state: isLive ? 'LIVE' : 'REJECTED', liveAt, photo })
  })
}

/** A photo that is there, a JPG or PNG, and neither too small nor too large. */
async function photoAt(deps: SimulatorDeps, url: string): Promise<SimulatedPost['photo']> {
  const { photoMinBytes, photoMaxBytes, photoMinSide } = limits
  const file = await deps.fetchFile(url, { maxBytes: photoMaxBytes.value })
  if (file === null || file === 'too large' || file.bytes < photoMinBytes.value) return null
  const image = await measureImage(await deps.store.getBlob(file.blobId))
  if (!image || Math.min(image.width, image.height) < photoMinSide.value) return null
  if (image.format !== 'jpeg' && image.format !== 'png') return null
  return { blobId: file.blobId, mimeType: `image/${image.format}` }
}

/** In answers the account stands in front through which the post is asked for. */
const nameOf = ({ location, id }: SimulatedPost) => `${location}/localPosts/${id}`

const pageOf = (deps: SimulatorDeps, post: SimulatedPost) => `${deps.url}/p/${encodeURIComponent(nameOf(post))}`

/** The post of a name, when it is one of the location. @throws SimulatedRefusal */
function postAt({ deps, by, at }: Call<Principal>): SimulatedPost {
  const { name } = managedLocation(by, parentIn(at))
  const post = deps.store.get<SimulatedPost>(COLLECTION, at.id ?? '')
  return post?.location === name ? post : refuse(notFound)
}

/** `GET /v4/{name}` */
export const readPost = (call: Call<Principal>): SimulatedAnswer =>
  ok(shown(call.deps, postAt(call), parentIn(call.at)))

/** `DELETE /v4/{name}` */
export function removePost(call: Call<Principal>): SimulatedAnswer {
  deletePost(call.deps, COLLECTION, postAt(call).id)
  return ok({})
}

/** `GET /v4/{parent}/localPosts`, newest first. @throws SimulatedRefusal */
export function listPosts({ deps, by, at, query }: Call<Principal>): SimulatedAnswer {
  const parent = parentIn(at)
  const { name } = managedLocation(by, parent)
  const size = pageSizeOf(query, 100, 20)
  const newest = deps.now().getTime() - LISTED_AFTER_MS
  const all = deps.store
    .list<SimulatedPost>(COLLECTION)
    .filter((post) => post.location === name && new Date(post.at).getTime() <= newest)
    .reverse()
  return listing('localPosts', all, { query, size, idOf: ({ id }) => id, show: (post) => shown(deps, post, parent) })
}

function shown(deps: SimulatorDeps, post: SimulatedPost, parent: string): Record<string, unknown> {
  const { id, languageCode, summary, callToAction, state, at, liveAt } = post
  const hasPage = liveAt !== null && deps.now().getTime() >= new Date(liveAt).getTime() + PAGE_AFTER_MS
  return {
    name: `${parent}/localPosts/${id}`,
    ...(languageCode === null ? {} : { languageCode }),
    summary,
    ...(callToAction ? { callToAction } : {}),
    state,
    createTime: at,
    topicType: 'STANDARD',
    ...(hasPage ? { searchUrl: pageOf(deps, post) } : {}),
  }
}
