import type { Attempt, Connector, FindOutcome, PrepareOutcome, PublishOutcome, Retry } from '../network.ts'
import {
  failedFinding,
  failedPreparing,
  failedPublishing,
  retryFrom,
  whileFinding,
  whilePublishing,
} from '../toolkit/outcomes.ts'
import { detectFacets, mentionedHandles, withAccounts } from './facets.ts'
import { choosePlace, facetsOf, mentionFaultsOf, placeOf } from './handles.ts'
import { blueskyErrors } from './outcomes.ts'
import { POSTS, permalinkOf, postRecord, uriOf } from './post-record.ts'
import { uploadMedia } from './upload.ts'
import { readPostRecord, readResolved, readWritten } from './wire.ts'

/** A mention whose account cannot be looked up after so many tries is sent as plain text. */
const MENTION_TRIES = 3

/**
 * Bluesky lets the client choose the key of a record. It is chosen with the time of the post before anything else, so
 * whatever is lost on the way, the post is either in its place or it is not; and writing it twice changes nothing.
 */
export const connector: Connector = { prepare, publish, confirm, find }

async function prepare(attempt: Attempt): Promise<PrepareOutcome> {
  await choosePlace(attempt)
  return (await resolveMentions(attempt)) ?? (await uploadMedia(attempt)) ?? { kind: 'ready' }
}

async function publish(attempt: Attempt): Promise<PublishOutcome> {
  const place = placeOf(attempt.handles)
  if (!place) return retryFrom('prepare', 'The post was not prepared.')
  const answer = await attempt.http({
    method: 'POST',
    url: `${attempt.endpoint('pds')}/xrpc/com.atproto.repo.putRecord`,
    headers: { authorization: `Bearer ${attempt.credentials.accessJwt}` },
    json: {
      repo: attempt.account.externalId,
      collection: POSTS,
      rkey: place.rkey,
      // Only where nothing stands, or the very same.
      swapRecord: null,
      record: postRecord(attempt, place),
    },
    signal: attempt.signal,
  })
  if (answer.kind === 'failed') return failedPublishing(answer)
  if (answer.status !== 200) {
    const { meaning } = blueskyErrors.lookUp(answer, attempt.now())
    // The uploads are gone: what is to be prepared again must not be taken for prepared.
    if (meaning.kind === 'again') await attempt.store({ blobs: [], videoJob: null })
    return whilePublishing(meaning)
  }
  const uri = uriOf(attempt, place)
  if (readWritten(answer.json)?.uri !== uri) {
    return { kind: 'unknown', message: 'Bluesky took the post, but its answer could not be understood.' }
  }
  return { kind: 'published', providerId: uri, permalink: permalinkOf(attempt, place) }
}

/** Never asked: a post is there when the server has answered. */
async function confirm(attempt: Attempt): Promise<PublishOutcome> {
  const found = await find(attempt)
  if (found.kind === 'found') return { ...found, kind: 'published' }
  return { kind: 'unknown', message: 'It is not known whether Bluesky has the post.' }
}

async function find(attempt: Attempt): Promise<FindOutcome> {
  const place = placeOf(attempt.handles)
  // Without a place nothing was ever sent.
  if (!place) return { kind: 'absent' }
  const query = new URLSearchParams({ repo: attempt.account.externalId, collection: POSTS, rkey: place.rkey })
  const answer = await attempt.http({
    method: 'GET',
    url: `${attempt.endpoint('pds')}/xrpc/com.atproto.repo.getRecord?${query}`,
    signal: attempt.signal,
  })
  if (answer.kind === 'failed') return failedFinding(answer)
  const uri = uriOf(attempt, place)
  if (answer.status === 200) {
    const record = readPostRecord(answer.json)
    // The time in milliseconds is as good as a signature; the text may have been edited since.
    if (record?.uri === uri && record.value.createdAt === place.createdAt) {
      return { kind: 'found', providerId: uri, permalink: permalinkOf(attempt, place) }
    }
    return { kind: 'cannot-tell', message: 'Something else stands where the post belongs.' }
  }
  const { error } = (answer.json ?? {}) as { error?: unknown }
  if (answer.status === 400 && error === 'RecordNotFound') return { kind: 'absent' }
  return whileFinding(blueskyErrors.lookUp(answer, attempt.now()).meaning)
}

/** Finds the parts of the text that lead somewhere, and the accounts behind mentions. Once: the record must not vary. */
async function resolveMentions(attempt: Attempt): Promise<Retry | null> {
  if (facetsOf(attempt.handles)) return null
  const facets = await detectFacets(attempt.post.caption)
  const accounts = new Map<string, string>()
  for (const handle of mentionedHandles(facets)) {
    const query = new URLSearchParams({ handle })
    const answer = await attempt.http({
      method: 'GET',
      url: `${attempt.endpoint('pds')}/xrpc/com.atproto.identity.resolveHandle?${query}`,
      signal: attempt.signal,
      timeoutMs: 15_000,
    })
    const resolved = answer.kind === 'answer' && answer.status === 200 ? readResolved(answer.json) : null
    if (resolved) {
      accounts.set(handle, resolved.did)
      continue
    }
    if (answer.kind === 'answer' && answer.status >= 400 && answer.status < 500 && answer.status !== 429) continue
    const faults = mentionFaultsOf(attempt.handles) + 1
    if (faults < MENTION_TRIES) {
      await attempt.store({ mentionFaults: faults })
      if (answer.kind === 'failed') return failedPreparing(answer)
      return retryFrom('prepare', `Bluesky could not look up @${handle}.`)
    }
  }
  await attempt.store({ facets: withAccounts(facets, accounts) })
  return null
}
