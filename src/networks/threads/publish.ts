import { MINUTE_MS, SECOND_MS } from '#contract/durations'
import { comparable } from '../kit/lookup.ts'
import { retryFrom } from '../kit/outcomes.ts'
import { type PendingOutcome, triesOf } from '../kit/pending.ts'
import { containerConnector } from '../meta/connector.ts'
import { type ContainerNetwork, dropped } from '../meta/containers.ts'
import type { Attempt, PublishOutcome } from '../network.ts'
import { childParams, postParams } from './containers.ts'
import { classifyFailure, errors } from './outcomes.ts'
import {
  CONTAINER_FIELDS,
  POST_FIELDS,
  type Post,
  parseContainer,
  parsePost,
  QUOTA_EDGE,
  REPLY_FIELDS,
} from './wire.ts'

/** Calls that one container gets before it is made again, when the network does not know it. */
const RACES_PER_CONTAINER = 3
/** Calls that may end so before the post is given up: those of three containers. */
const MOST_RACES = 9
const RACE_PAUSE_MS = 2_000
/** Tries after which a container that cannot be used is made again, while nothing of it can be visible. */
const TRIES_PER_CONTAINER = 2

const threads: ContainerNetwork<string, Post> = {
  title: 'Threads',
  wordsOf: ({ caption }) => ({ text: caption }),
  owner: () => 'me',
  edges: { make: 'threads', publish: 'threads_publish', quota: QUOTA_EDGE },
  sends: 'form',
  parts: childParams,
  whole: postParams,
  container: {
    fields: CONTAINER_FIELDS,
    parse: parseContainer,
    failed: classifyFailure,
    // The vendor speaks of 5 minutes; videos may have a gigabyte.
    stuckMs: 30 * MINUTE_MS,
  },
  post: {
    fields: POST_FIELDS,
    parse: parsePost,
    listing: () => ({ edge: 'threads', since: true }),
    isOf: ({ mediaType }, post) => mediaType === null || mediaType === mediaTypeOf(post),
    normalized,
  },
  replies: {
    params: (parent) => ({ reply_to_id: parent }),
    edge: 'replies',
    fields: REPLY_FIELDS,
    answers: ({ isReply, repliedTo }) => (isReply === false ? null : (repliedTo ?? undefined)),
    notAllowed:
      'The connection lacks the permission for replies, which the parts of a thread are. The operator asks the vendor for it (threads_manage_replies), then the account is connected again.',
    // https://developers.facebook.com/docs/threads/posts advises so long; seen without it: https://github.com/gitroomhq/postiz-app/issues/1441
    videoPauseMs: 30 * SECOND_MS,
  },
  quotaIsAsked: 'before',
  classify: errors.classify,
  refused: { preparing: racePreparing, publishing: racePublishing },
  async withoutStatus(attempt, refusal, find) {
    return refusal.kind === 'reconnect' || normalized(attempt.words.text ?? '') === '' ? refusal : find()
  },
}

export const connector = containerConnector(threads)

/**
 * The network may cut white space and compose characters again, and it shows the hashtag that becomes a topic without
 * its sign.
 */
function normalized(text: string): string {
  return comparable(text.replaceAll('#', ''))
}

/** How the listing calls a post of this kind. */
function mediaTypeOf({ media }: Attempt['post']): string {
  const [first, ...others] = media
  if (!first) return 'TEXT_POST'
  return others.length === 0 ? first.facts.type : 'CAROUSEL_ALBUM'
}

type Classification = ReturnType<typeof errors.classify>

/** Once the visible call may have been made, an unknown container is no proof that it was not published. */
async function racePreparing(attempt: Attempt, { race }: Classification): Promise<void> {
  const last = triesOf(attempt.handles) + 1 === TRIES_PER_CONTAINER
  if (race && last && attempt.fencedAt === null) await attempt.store(dropped)
}

/**
 * The network does not know a container that it had called finished. That call did nothing, and most often the next one
 * works. A container is given up only when the lookup has proven that no call before it was heard after all.
 */
async function racePublishing(attempt: Attempt, { race, meaning }: Classification): Promise<PublishOutcome | null> {
  if (!race) return null
  const { message } = meaning
  const races = Number(attempt.handles.races ?? 0) + 1
  if (races % RACES_PER_CONTAINER !== 0) {
    await attempt.store({ races })
    const notBefore = new Date(attempt.now().getTime() + RACE_PAUSE_MS)
    return { ...retryFrom('prepare', message), notBefore }
  }
  const verdict: PendingOutcome =
    races < MOST_RACES ? { kind: 'fresh' } : { kind: 'refused', reason: 'UNKNOWN_MEDIA_ERROR', message }
  await attempt.store({ races, verdict })
  return { kind: 'unknown', message }
}
