import type { ErrorCode, ProblemError } from '#contract'

/** What an agent does next, by the code of what it was refused with. */
const NEXT: Partial<Record<ErrorCode, string>> = {
  'auth:insufficient_scope':
    'This key may not do that, and no other tool does it either. Tell the person who asked you, and leave a draft.',
  'post-set:version_conflict':
    'Look at what has changed, read the post set with get_post_set, and call again with its version if it is still right.',
  'post-set:invalid_posts': 'Mend what errors name, try it with validate_post_set, and call again.',
  'post-set:read_only': 'Nothing can be changed any more. get_post_set has the results.',
  'post-set:locked': 'A person has locked it. Ask them to unlock it.',
  'request:in_progress': 'Wait a second and call again with the same requestId.',
  'request:idempotency_key_reused': 'Call again with a requestId of its own.',
  'request:refused': 'Tell the person who asked you.',
  'api-key:budget_exceeded': 'Stop here for today, and tell the person who asked you when you may go on.',
  'media-upload:too_many_pending': 'Wait for those that are under way with import_media and their uploadId.',
  'event:position_gone': 'Go on from the position that is named.',
  'internal:error': 'Try it once more later; if it fails again, tell the person who asked you.',
  'service:unavailable': 'Wait a few seconds and call again.',
}

/** The sentence behind a refusal. */
export function nextStep({ code }: Pick<ProblemError, 'code'>): string {
  const known = NEXT[code]
  if (known) return known
  if (code.endsWith(':not_found')) return 'list_brands and list_calendar say what this key sees.'
  if (code.startsWith('plan:') || code.endsWith('_not_available') || code.endsWith('_exceeded')) {
    return 'The plan of the account decides that: tell the person who asked you.'
  }
  return 'Mend it and call again.'
}
