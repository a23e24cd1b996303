import { MINUTE_MS } from '#contract/durations'
import { afterVisibleCall } from '../kit/flow.ts'
import { confirmByLookup, retryFrom } from '../kit/outcomes.ts'
import { obeyPending, triesOf } from '../kit/pending.ts'
import { afterPause, answeredBy, threadParts } from '../kit/thread.ts'
import type { Attempt, Connector, PrepareOutcome, PublishOutcome, Retry } from '../network.ts'
import { find, findReply, liveAs, noteLatest, parentGone } from './lookup.ts'
import { classify } from './outcomes.ts'
import { readState, withoutUploads } from './state.ts'
import { hasUploads, renames, uploadMedia } from './upload.ts'
import { call, parseDataId } from './wire.ts'

/** So long X may say of a post that it has just made that it is not there (field: five seconds). */
const YOUNG_MS = 2 * MINUTE_MS

const UNKNOWN = 'X did not say clearly whether it published the post.'

/**
 * The network has no key that a client could choose, so a post that was cut off on its way is looked for by the files
 * that it holds, else by its text, and sent again only when it is certain that it is not there.
 */
export const connector: Connector = {
  wordsOf,
  prepare,
  publish,
  confirm: confirmByLookup(find, UNKNOWN),
  find,
  parts: threadParts(wordsOf, { prepare, send: publish, find: findReply, parentGone }),
}

function wordsOf({ caption }: { caption: string }): { text: string } {
  return { text: caption }
}

/** Of a part, what it answers identifies it: it cannot be taken for an older post. */
async function prepare(attempt: Attempt): Promise<PrepareOutcome> {
  const state = readState(attempt.handles)
  const stop = await obeyPending(attempt, withoutUploads(state))
  if (stop) return stop
  if (state.postId !== null) return { kind: 'ready' }
  const isPart = answeredBy(attempt) !== null
  return (await uploadMedia(attempt)) ?? (isPart ? afterPause(attempt) : await noteLatest(attempt)) ?? { kind: 'ready' }
}

/** One call makes the post, or a part of its thread. */
async function publish(attempt: Attempt): Promise<PublishOutcome> {
  const state = readState(attempt.handles)
  if (state.postId !== null) return { kind: 'published', ...liveAs(attempt, state.postId) }
  if (!hasUploads(attempt)) return retryFrom('prepare', 'The media has to be uploaded first.')
  const isYoung = attempt.now().getTime() - (attempt.before.at(-1)?.endedAt.getTime() ?? 0) < YOUNG_MS
  const { caption } = attempt.post
  const media = state.uploads.length > 0 ? { media: { media_ids: state.uploads.map(({ id }) => id) } } : {}
  const parent = answeredBy(attempt)
  const reply = parent === null ? {} : { reply: { in_reply_to_tweet_id: parent } }
  const made = await call(attempt, {
    method: 'POST',
    path: '2/tweets',
    json: { text: attempt.words.text, ...media, ...reply },
    // The attempt's signal is the limit of this call.
    timeoutMs: 300_000,
    parse: parseDataId,
  })
  return afterVisibleCall(attempt, made, {
    classify: (answer, now) => classify(answer, now, caption),
    unclear: UNKNOWN,
    dropped: withoutUploads(state),
    async refused({ ofMedia, ofParent, meaning: { kind, message } }): Promise<Retry | null> {
      if (ofParent && isYoung) return retryFrom('prepare', message)
      // Files that X has only lost are uploaded by the same name first.
      const isLost = kind === 'again' && triesOf(attempt.handles) === 0
      return ofMedia && !isLost && (await renames(attempt, message)) ? retryFrom('prepare', message) : null
    },
    async made(postId) {
      await attempt.store({ postId })
      return { kind: 'published', ...liveAs(attempt, postId) }
    },
  })
}
