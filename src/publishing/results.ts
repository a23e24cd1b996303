import type { AlertKind, PostProblemCode, ProblemEntry, Reason } from '#contract'
import type { DeliveryEnd } from '#persistence'

/** What is said of an end to those who want to hear of failures; null for that of a post that is live as a whole. */
export function newsKindOf(end: DeliveryEnd): AlertKind | 'POST_INCOMPLETE' | null {
  const isPart = (end.result.warnings ?? []).some(({ code }) => code === 'post:follow_up_failed')
  return alertKindOf(end) ?? (isPart ? 'POST_INCOMPLETE' : null)
}

/** The alert that an end calls for; null for that of a live post. */
export function alertKindOf({ result, mayBeLive }: DeliveryEnd): AlertKind | null {
  if (result.status === 'POSTED') return null
  return mayBeLive ? 'POST_UNKNOWN' : 'POST_FAILED'
}

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

/** Why a post that breaks rules is not sent: the first problem names the reason, all are named. */
export function brokenRules(problems: readonly ProblemEntry[]): { reason: Reason; message: string } {
  const code = (problems[0]?.code ?? '') as PostProblemCode
  const reason = reasons[code] ?? (code.startsWith('post:media_') ? 'UNKNOWN_MEDIA_ERROR' : 'UNKNOWN')
  return { reason, message: problems.map((problem) => problem.message).join(' ') }
}
