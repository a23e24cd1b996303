import {
  confirmByLookup,
  failedFinding,
  failedPreparing,
  failedPublishing,
  retryFrom,
  whileFinding,
  whilePublishing,
} from '../kit/outcomes.ts'
import type { Attempt, Connector, FindOutcome, PrepareOutcome, PublishOutcome, Retry } from '../network.ts'
import { call } from './api.ts'
import { makeCard } from './card.ts'
import { detectFacets, mentionedHandles, withAccounts } from './facets.ts'
import { choosePlace, placeOf, readState, renewTime } from './handles.ts'
import { errors } from './outcomes.ts'
import { POSTS, permalinkOf, postRecord, uriOf } from './post-record.ts'
import { uploadMedia } from './upload.ts'
import { parseError, readPostRecord, readResolved, readWritten } from './wire.ts'

/** A mention whose account cannot be looked up after so many tries is sent as plain text. */
const MENTION_TRIES = 3

/**
 * Bluesky lets the client choose the key of a record. It is chosen before anything else, so whatever is lost on the way, the
 * post is either in its place or it is not; and writing it twice changes nothing.
 */
export const connector: Connector = {
  prepare,
  publish,
  // Never asked: a post is there when the server has answered.
  confirm: confirmByLookup(find, 'It is not known whether Bluesky has the post.'),
  find,
}

async function prepare(attempt: Attempt): Promise<PrepareOutcome> {
  await choosePlace(attempt)
  return (
    (await resolveMentions(attempt)) ?? (await uploadMedia(attempt)) ?? (await makeCard(attempt)) ?? { kind: 'ready' }
  )
}

async function publish(attempt: Attempt): Promise<PublishOutcome> {
  const chosen = placeOf(attempt.handles)
  if (!chosen) return retryFrom('prepare', 'The post was not prepared.')
  const place = await renewTime(attempt, chosen)
  const uri = uriOf(attempt, place)
  const answer = await call(attempt, attempt.endpoint('pds'), 'com.atproto.repo.putRecord', {
    method: 'POST',
    token: attempt.credentials.accessJwt,
    json: {
      repo: attempt.account.externalId,
      collection: POSTS,
      rkey: place.rkey,
      // Only where nothing stands, or the very same.
      swapRecord: null,
      record: postRecord(attempt, place),
    },
    parse: (json) => (readWritten(json)?.uri === uri ? uri : undefined),
  })
  if (answer.kind === 'ok') return { kind: 'published', providerId: uri, permalink: permalinkOf(attempt, place) }
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
  const asked = await call(attempt, attempt.endpoint('pds'), 'com.atproto.repo.getRecord', {
    query: { repo: attempt.account.externalId, collection: POSTS, rkey: place.rkey },
    parse: (json) => readPostRecord(json) ?? null,
  })
  if (asked.kind === 'failed') return failedFinding(asked)
  if (asked.kind === 'refused') {
    if (asked.answer.status === 400 && parseError(asked.answer).name === 'RecordNotFound') return { kind: 'absent' }
    return whileFinding(errors.lookUp(asked.answer, attempt.now()).meaning)
  }
  const uri = uriOf(attempt, place)
  // The time in milliseconds is as good as a signature; the text may have been edited since.
  const times = [place.createdAt, ...readState(attempt.handles).earlier]
  if (asked.value?.uri !== uri || !times.includes(asked.value.value.createdAt)) {
    return { kind: 'cannot-tell', message: 'Something else stands where the post belongs.' }
  }
  return { kind: 'found', providerId: uri, permalink: permalinkOf(attempt, place) }
}

/** Finds the parts of the text that lead somewhere, and the accounts behind mentions. Once: the record must not vary. */
async function resolveMentions(attempt: Attempt): Promise<Retry | null> {
  if (readState(attempt.handles).facets) return null
  const facets = await detectFacets(attempt.post.caption)
  const accounts = new Map<string, string>()
  for (const handle of mentionedHandles(facets)) {
    const asked = await call(attempt, attempt.endpoint('pds'), 'com.atproto.identity.resolveHandle', {
      query: { handle },
      timeoutMs: 15_000,
      parse: readResolved,
    })
    if (asked.kind === 'ok') {
      accounts.set(handle, asked.value.did)
      continue
    }
    const status = asked.kind === 'refused' ? asked.answer.status : 0
    if (status >= 400 && status < 500 && status !== 429) continue
    const faults = readState(attempt.handles).mentionFaults + 1
    if (faults < MENTION_TRIES) {
      await attempt.store({ mentionFaults: faults })
      if (asked.kind === 'failed') return failedPreparing(asked)
      return retryFrom('prepare', `Bluesky could not look up @${handle}.`)
    }
  }
  await attempt.store({ facets: withAccounts(facets, accounts) })
  return null
}
