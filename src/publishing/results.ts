import type { AlertKind, PostProblemCode, PostResult, ProblemEntry, Reason } from '#contract'

type Warnings = PostResult['warnings'] & object

/** The result of a post that is live. Ids that could not be learnt are left out. */
export function posted(
  published: { providerId: string | null; permalink: string | null },
  warnings: Warnings = [],
): PostResult {
  return {
    status: 'POSTED',
    ...(published.providerId === null ? {} : { providerId: published.providerId }),
    ...(published.permalink === null ? {} : { permalink: published.permalink }),
    ...(warnings.length === 0 ? {} : { warnings }),
  }
}

export function failed(reason: Reason, message: string): PostResult {
  return { status: 'FAILED', reason, message }
}

export const lateMessage =
  'Almanac was not running when this post was due, and it is too late to send it unasked. Check that it still fits, then schedule it anew.'

export const mayBeLiveMessage =
  'The network did not tell whether it took this post. It may be live: look at the account before you try again.'

/** The alert that a result calls for; null for that of a live post. */
export function alertKindOf({ status, message }: PostResult): AlertKind | null {
  if (status === 'POSTED') return null
  return message === mayBeLiveMessage ? 'POST_UNKNOWN' : 'POST_FAILED'
}

export const usedUpMessage = (last: string | null) =>
  `The network could not be reached or did not take the post in time. ${last ?? ''}`.trim()

/** The words of a post whose files, by these names, are not in the store. */
export const goneMessage = (names: readonly string[]) =>
  names.length === 1
    ? `${names[0]} is not there any more. Import it again, and put the new file in the post.`
    : `${names.join(', ')} are not there any more. Import them again, and put the new files in the post.`

const reasons: Partial<Record<PostProblemCode, Reason>> = {
  'post:caption_too_long': 'CAPTION_TOO_LONG',
  'post:account_not_connected': 'ACCOUNT_CONNECTION_EXPIRED',
  'post:account_reconnect_required': 'ACCOUNT_CONNECTION_EXPIRED',
}

/** The result of a post that breaks rules right before it is sent: the first problem names the reason, all are told. */
export function brokenRules(problems: readonly ProblemEntry[]): PostResult {
  const code = (problems[0]?.code ?? '') as PostProblemCode
  const reason = reasons[code] ?? (code.startsWith('post:media_') ? 'UNKNOWN_MEDIA_ERROR' : 'UNKNOWN')
  return failed(reason, problems.map((problem) => problem.message).join(' '))
}
