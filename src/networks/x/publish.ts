import type { Attempt, Connector, PrepareOutcome, PublishOutcome } from '../network.ts'
import { confirmByLookup, failedPublishing, retryFrom, whilePublishing } from '../toolkit/outcomes.ts'
import { call } from './api.ts'
import { find, noteLatest, permalinkOf } from './lookup.ts'
import { judge } from './outcomes.ts'
import { readState, withoutUploads } from './state.ts'
import { hasUploads, uploadMedia } from './upload.ts'
import { parseDataId } from './wire.ts'

/** Refusals of uploaded media at the visible call after which they are uploaded again. */
const FEW_TRIES = 3

/**
 * The network has no key that a client could choose, so a post that was cut off on its way is looked for by the files
 * that it holds, else by its text, and sent again only when it is certain that it is not there.
 */
export const connector: Connector = {
  prepare,
  publish,
  confirm: confirmByLookup(find, 'X has not published the post.'),
  find,
}

async function prepare(attempt: Attempt): Promise<PrepareOutcome> {
  const { verdict, postId } = readState(attempt.handles)
  // This step comes after the visible call only when it is proven that nothing was published: now its answer holds.
  if (verdict !== null) return verdict
  if (postId !== null) return { kind: 'ready' }
  return (await uploadMedia(attempt)) ?? (await noteLatest(attempt)) ?? { kind: 'ready' }
}

/** One call makes the post. */
async function publish(attempt: Attempt): Promise<PublishOutcome> {
  const state = readState(attempt.handles)
  if (state.postId !== null) return published(attempt, state.postId)
  if (!hasUploads(attempt)) return retryFrom('prepare', 'The media has to be uploaded first.')
  const { caption } = attempt.post
  const made = await call(attempt, {
    method: 'POST',
    path: '2/tweets',
    json: {
      text: caption,
      ...(state.uploads.length > 0 ? { media: { media_ids: state.uploads.map(({ id }) => id) } } : {}),
    },
    // The attempt's signal is the limit of this call.
    timeoutMs: 300_000,
    parse: parseDataId,
  })
  switch (made.kind) {
    case 'ok':
      await attempt.store({ postId: made.value })
      return published(attempt, made.value)
    case 'failed':
      return failedPublishing(made)
    case 'refused': {
      const judgement = judge(made.answer, attempt.now(), caption)
      const { meaning, certain, fresh } = judgement
      if (!certain) {
        if (meaning.kind === 'refused') await attempt.store({ verdict: meaning })
        return { kind: 'unknown', message: meaning.message }
      }
      if (fresh) {
        const { tries } = state
        if (tries >= FEW_TRIES) return { kind: 'refused', reason: 'UNKNOWN_MEDIA_ERROR', message: meaning.message }
        await attempt.store({ ...withoutUploads(state), tries: tries + 1 })
      }
      return whilePublishing(meaning)
    }
  }
}

function published(attempt: Attempt, postId: string): PublishOutcome {
  return { kind: 'published', providerId: postId, permalink: permalinkOf(attempt, postId) }
}
