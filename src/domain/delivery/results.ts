import type { PostResult, Reason } from '#contract'

export type Warning = { code: string; message: string }

/** What is known of a post that is live. */
export interface Live {
  providerId: string | null
  permalink: string | null
}

/** What is known of a part. */
const known = ({ providerId, permalink }: Live) => ({
  ...(providerId === null ? {} : { providerId }),
  ...(permalink === null ? {} : { permalink }),
})

/** A part that has ended, as the result of its post tells it. */
interface Told extends Live {
  outcome?: 'live' | 'absent' | 'unsure'
  ofThread?: true
  ofStories?: true
  thread?: readonly Live[]
  inbox?: string
}

/**
 * The result of a post that is live, or waits in the inbox of its account. Ids that could not be learned are left out.
 *
 * @param ended what came of its parts, the post first
 */
export function posted([post, ...others]: readonly [Told, ...Told[]], warnings: readonly Warning[] = []): PostResult {
  const live = others.filter(({ outcome }) => outcome === 'live')
  const thread = [...(post.thread ?? []), ...live.filter(({ ofThread }) => ofThread)].map(known)
  const isSeveral = others.some(({ ofStories }) => ofStories)
  const stories = isSeveral ? [post, ...live.filter(({ ofStories }) => ofStories)].map(known) : []
  return {
    status: 'POSTED',
    ...(post.inbox === undefined ? {} : { delivery: 'INBOX' as const }),
    ...known(post),
    ...(thread.length === 0 ? {} : { thread }),
    ...(stories.length === 0 ? {} : { stories }),
    ...(warnings.length === 0 ? {} : { warnings: [...warnings] }),
  }
}

export function failed(reason: Reason, message: string): PostResult {
  return { status: 'FAILED', reason, message }
}

const TOO_LATE = 'it is too late to send it unasked. Check that it still fits, then schedule it again.'

export const lateMessage = `Almanac was not running when this post was due, and ${TOO_LATE}`

export const crowdedMessage = `Too many posts were ahead of this one, and ${TOO_LATE}`

export const mayBeLiveMessage =
  'The network did not say whether it took this post. It may be live: look at the account before you try again.'

export const connectAgainMessage = 'The connection no longer works: reconnect the account.'

export const ownErrorMessage = 'Something went wrong in Almanac; its log says what.'

export const takenMessage = 'The network named a post that is the result of another one of the same words.'

export const usedUpMessage = (last: string | null) =>
  `The network could not be reached or did not take the post in time. ${last ?? ''}`.trim()

export const waitedMessage = (last: string | null) =>
  `The network made Almanac wait until it was too late for this post. ${last ?? ''}`.trim()

/** Behind why a part is missing. */
export const stoppedMessage = 'What comes behind it was not sent.'

export const unnamedMessage = (ofPost: boolean) => `The id of the ${ofPost ? 'post' : 'part before it'} is not known.`

export const followUpWarning = (title: string, why: string): Warning => ({
  code: 'post:follow_up_failed',
  message: `The post is live, but its ${title} could not be made. ${why}`,
})

/** Behind a post that its creator has not finished in the inbox of its account. */
export const inboxWarning = (message: string): Warning => ({ code: 'post:not_finished', message })
