import { afterVisibleCall } from '../kit/flow.ts'
import { confirmByLookup, retryFrom } from '../kit/outcomes.ts'
import { obeyPending, triesOf } from '../kit/pending.ts'
import type { Attempt, Connector, PrepareOutcome, PublishOutcome } from '../network.ts'
import { find, liveAs, noteLatest } from './lookup.ts'
import { classify } from './outcomes.ts'
import { readState, withoutUploads } from './state.ts'
import { hasUploads, renames, uploadMedia } from './upload.ts'
import { call, parseDataId } from './wire.ts'

const UNKNOWN = 'X did not say clearly whether it published the post.'

/**
 * The network has no key that a client could choose, so a post that was cut off on its way is looked for by the files
 * that it holds, else by its text, and sent again only when it is certain that it is not there.
 */
export const connector: Connector = {
  wordsOf: ({ caption }) => ({ text: caption }),
  prepare,
  publish,
  confirm: confirmByLookup(find, UNKNOWN),
  find,
}

async function prepare(attempt: Attempt): Promise<PrepareOutcome> {
  const state = readState(attempt.handles)
  const stop = await obeyPending(attempt, withoutUploads(state))
  if (stop) return stop
  if (state.postId !== null) return { kind: 'ready' }
  return (await uploadMedia(attempt)) ?? (await noteLatest(attempt)) ?? { kind: 'ready' }
}

/** One call makes the post. */
async function publish(attempt: Attempt): Promise<PublishOutcome> {
  const state = readState(attempt.handles)
  if (state.postId !== null) return { kind: 'published', ...liveAs(attempt, state.postId) }
  if (!hasUploads(attempt)) return retryFrom('prepare', 'The media has to be uploaded first.')
  const { caption } = attempt.post
  const media = state.uploads.length > 0 ? { media: { media_ids: state.uploads.map(({ id }) => id) } } : {}
  const made = await call(attempt, {
    method: 'POST',
    path: '2/tweets',
    json: { text: attempt.words.text, ...media },
    // The attempt's signal is the limit of this call.
    timeoutMs: 300_000,
    parse: parseDataId,
  })
  return afterVisibleCall(attempt, made, {
    classify: (answer, now) => classify(answer, now, caption),
    unclear: UNKNOWN,
    dropped: withoutUploads(state),
    async refused({ ofMedia, meaning: { kind, message } }) {
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
