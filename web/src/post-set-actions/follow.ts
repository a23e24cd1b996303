import { withWords } from '../language/language.ts'
import type { Followed } from './outcome-message.tsx'

/** Shows a message that follows what becomes of a post which is being published, network by network. */
export function followOutcome(post: Followed): void {
  // Most pages are left without it. The outcome of the post is on its card all the same.
  void withWords(import('./outcome-message.tsx'))
    .then(({ showOutcome }) => showOutcome(post))
    .catch(() => {})
}
