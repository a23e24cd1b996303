import { randomInt } from 'node:crypto'
import type { SimulatedAnswer } from '../kit/faults.ts'
import { record, string, webAddress } from '../kit/read-json.ts'
import type { SimulatorDeps } from '../kit/simulation.ts'
import { type Call, deletePost } from '../kit/simulator.ts'
import { ledgerAccount, managedLocation, type Principal } from './simulator-accounts.ts'
import { invalidField, listing, notFound, ok, refuse, rpcError } from './simulator-answers.ts'
import { judgePost } from './simulator-review.ts'

const COLLECTION = 'posts'
/** How long a post is looked at, by the simulator's clock. */
const REVIEW_MS = { text: 2_000, photo: 5_000 }
/** How long after going live a post gets its page in the search. */
const PAGE_AFTER_MS = 3_000
/** Listings show a post so much later than it was made. */
const LISTED_AFTER_MS = 10_000
const SUMMARY_LENGTH = 1500

/** A post as it is kept: of the location, by whichever account it was made. */
export interface SimulatedPost {
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

const parentIn = ({ account, location }: Call['at']) => `accounts/${account}/locations/${location}`

/** Codes of Google's list whose numbers are known or lie in its ranges. */
const CODES = { missing: 2, invalid: 3, tooMany: 5, range: 9, fetch: 1000, operation: 1300 }

/** `POST /v4/{parent}/localPosts`. Nothing is seen of the post yet. @throws SimulatedRefusal */
export function createPost({ deps, by: principal, at }: Call<Principal>, body: unknown): SimulatedAnswer {
  const parent = parentIn(at)
  const location = managedLocation(principal, parent)
  if (!location.canPost) refuse(invalidField(CODES.operation, '', 'LOCATION_DISABLED_FOR_LOCAL_POST_API'))
  const checked = checkBody(body)
  const post: SimulatedPost = {
    ...checked,
    id: String(randomInt(10 ** 12, 10 ** 13)),
    location: location.name,
    accountId: ledgerAccount(principal, location),
    at: deps.now().toISOString(),
    state: 'PROCESSING',
    liveAt: null,
    photo: null,
  }
  deps.store.put(COLLECTION, post.id, post)
  return ok(shown(deps, post, parent))
}

function checkBody(body: unknown): Pick<SimulatedPost, 'languageCode' | 'summary' | 'callToAction' | 'sourceUrl'> {
  const post = record(body) ?? refuse(rpcError(400, 'Invalid JSON payload received.'))
  onlyKnown(post, ['languageCode', 'summary', 'topicType', 'callToAction', 'media'])
  const { languageCode = null, summary, topicType, callToAction, media } = post
  if (languageCode !== null && !(typeof languageCode === 'string' && /^[A-Za-z]{2,3}(-\w+)*$/.test(languageCode))) {
    refuse(invalidField(CODES.invalid, 'language_code', 'An invalid value was provided.'))
  }
  if (topicType !== 'STANDARD') refuse(invalidField(CODES.invalid, 'topic_type', 'An invalid value was provided.'))
  if (typeof summary !== 'string' || summary.trim() === '') {
    return refuse(invalidField(CODES.missing, 'summary', 'summary is required.'))
  }
  if ([...summary].length > SUMMARY_LENGTH) {
    refuse(invalidField(CODES.range, 'summary', `Must be at most ${SUMMARY_LENGTH} characters`))
  }
  return {
    languageCode,
    summary,
    callToAction: callToAction === undefined ? null : checkAction(callToAction),
    sourceUrl: media === undefined ? null : checkMedia(media),
  }
}

const ACTIONS: readonly unknown[] = ['BOOK', 'ORDER', 'SHOP', 'LEARN_MORE', 'SIGN_UP', 'CALL']

function checkAction(given: unknown): { actionType: string; url?: string } {
  const wrong = (field: string, message: string, code = CODES.invalid): never =>
    refuse(invalidField(code, `call_to_action.${field}`, message))
  const action = record(given) ?? wrong('', 'An invalid value was provided.')
  onlyKnown(action, ['actionType', 'url'])
  const actionType = string(action.actionType) ?? ''
  if (!ACTIONS.includes(actionType)) wrong('action_type', 'An invalid value was provided.')
  if (actionType === 'CALL') {
    if (action.url !== undefined) wrong('url', 'Must not be set for a call to action of type CALL.')
    return { actionType }
  }
  // Given back in its usual form, whichever way it was written.
  const written = string(action.url)
  const url = written !== undefined && URL.canParse(written) ? webAddress(new URL(written).href) : null
  return url === null ? wrong('url', 'A valid address is required.', CODES.missing) : { actionType, url }
}

function checkMedia(given: unknown): string | null {
  if (!Array.isArray(given)) refuse(rpcError(400, 'Invalid JSON payload received.'))
  const items = given as unknown[]
  if (items.length > 1) refuse(invalidField(CODES.tooMany, 'media', 'More than the maximum number of items.'))
  if (items.length === 0) return null
  const item = record(items[0]) ?? refuse(rpcError(400, 'Invalid JSON payload received.'))
  onlyKnown(item, ['mediaFormat', 'sourceUrl'])
  // A video in a post is a server error, every time.
  if (item.mediaFormat === 'VIDEO') refuse(rpcError(500, 'Internal error encountered.'))
  if (item.mediaFormat !== 'PHOTO') {
    refuse(invalidField(CODES.invalid, 'media.media_format', 'An invalid value was provided.'))
  }
  return webAddress(item.sourceUrl) ?? refuse(invalidField(CODES.fetch, '', 'Fetching image failed.'))
}

function onlyKnown(given: Readonly<Record<string, unknown>>, known: readonly string[]): void {
  const unknown = Object.keys(given).find((name) => !known.includes(name))
  if (unknown !== undefined) {
    refuse(rpcError(400, `Invalid JSON payload received. Unknown name "${unknown}": Cannot find field.`))
  }
}

/**
 * Moves every post whose time has come out of PROCESSING: only now is its photo fetched. Posts appear in the ledger when
 * they go live.
 */
export async function reviewPosts(deps: SimulatorDeps): Promise<void> {
  const due = deps.store.list<SimulatedPost>(COLLECTION).filter((post) => isDue(deps, post))
  await Promise.all(due.map((post) => review(deps, post)))
}

async function review(deps: SimulatorDeps, post: SimulatedPost): Promise<void> {
  const { state, photo } = await judgePost(deps, post)
  // Two requests at a time may both come to this.
  const isLive = deps.store.posts().some(({ id }) => id === nameOf(post))
  if (state === 'LIVE' && !isLive) publishPost(deps, post, photo)
  const liveAt = state === 'LIVE' ? deps.now().toISOString() : null
  deps.store.put(COLLECTION, post.id, { ...post, state, liveAt, photo })
}

function isDue(deps: SimulatorDeps, { state, at, sourceUrl }: SimulatedPost): boolean {
  const lasts = sourceUrl === null ? REVIEW_MS.text : REVIEW_MS.photo
  return state === 'PROCESSING' && deps.now().getTime() >= new Date(at).getTime() + lasts
}

function publishPost(deps: SimulatorDeps, post: SimulatedPost, photo: SimulatedPost['photo']): void {
  deps.store.addPost({
    id: nameOf(post),
    accountId: post.accountId,
    text: post.summary,
    permalink: pageOf(deps, post),
    createdAt: post.at,
    ...(photo ? { media: [photo] } : {}),
    details: {
      location: post.location,
      languageCode: post.languageCode,
      callToAction: post.callToAction,
      sourceUrl: post.sourceUrl,
    },
  })
}

/** In answers the account stands in front through which the post is asked for. */
const nameOf = ({ location, id }: SimulatedPost) => `${location}/localPosts/${id}`

const pageOf = (deps: SimulatorDeps, post: SimulatedPost) => `${deps.url}/p/${encodeURIComponent(nameOf(post))}`

/** `GET /v4/{name}`. @throws SimulatedRefusal */
export function readPost({ deps, by: principal, at }: Call<Principal>): SimulatedAnswer {
  const parent = parentIn(at)
  const { name } = managedLocation(principal, parent)
  const post = deps.store.get<SimulatedPost>(COLLECTION, at.id ?? '')
  return post?.location === name ? ok(shown(deps, post, parent)) : notFound
}

/** `DELETE /v4/{name}` */
export function removePost({ deps, by: principal, at }: Call<Principal>): SimulatedAnswer {
  const { name } = managedLocation(principal, parentIn(at))
  const post = deps.store.get<SimulatedPost>(COLLECTION, at.id ?? '')
  if (post?.location !== name) return notFound
  deletePost(deps, COLLECTION, post.id)
  return ok({})
}

/** `GET /v4/{parent}/localPosts`, newest first. @throws SimulatedRefusal */
export function listPosts({ deps, by: principal, at, query }: Call<Principal>): SimulatedAnswer {
  const parent = parentIn(at)
  const { name } = managedLocation(principal, parent)
  const pageSize = Number(query.get('pageSize') ?? 20)
  if (!Number.isInteger(pageSize) || pageSize < 1 || pageSize > 100) {
    refuse(rpcError(400, 'page_size must be from 1 to 100.'))
  }
  const newest = deps.now().getTime() - LISTED_AFTER_MS
  const all = deps.store
    .list<SimulatedPost>(COLLECTION)
    .filter((post) => post.location === name && new Date(post.at).getTime() <= newest)
    .reverse()
  // A token names the post that comes next, so that new ones do not move the pages.
  const token = query.get('pageToken')
  const start = token === null ? 0 : all.findIndex(({ id }) => id === token)
  if (start < 0) refuse(rpcError(400, 'The page token is not valid.'))
  const next = all[start + pageSize]
  const localPosts = all.slice(start, start + pageSize).map((post) => shown(deps, post, parent))
  return listing('localPosts', localPosts, next?.id ?? null)
}

function shown(deps: SimulatorDeps, post: SimulatedPost, parent: string): Record<string, unknown> {
  const { id, languageCode, summary, callToAction, state, at, liveAt, photo } = post
  const hasPage = liveAt !== null && deps.now().getTime() >= new Date(liveAt).getTime() + PAGE_AFTER_MS
  return {
    name: `${parent}/localPosts/${id}`,
    ...(languageCode === null ? {} : { languageCode }),
    summary,
    ...(callToAction ? { callToAction } : {}),
    state,
    updateTime: at,
    createTime: at,
    topicType: 'STANDARD',
    ...(hasPage ? { searchUrl: pageOf(deps, post) } : {}),
    ...(photo
      ? {
          media: [
            {
              name: `${parent}/media/localPosts/${photo.blobId.slice(0, 16)}`,
              mediaFormat: 'PHOTO',
              googleUrl: `${deps.url}/blobs/${photo.blobId}`,
            },
          ],
        }
      : {}),
  }
}
