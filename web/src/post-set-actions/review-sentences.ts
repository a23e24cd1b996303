import { t } from '@lingui/core/macro'
import { nameOf, type PostSetSubject } from '../planning/posts/subject.ts'

/** What an approval came to: where a brand wants several, or the client too, it is not over. */
export function approvedSentence(subject: Pick<PostSetSubject, 'approval' | 'excerpt'>): string {
  const name = nameOf(subject)
  if (subject.approval === 'PENDING') return t`Your approval of ${name} counts. It waits for others.`
  if (subject.approval === 'EXTERNAL_PENDING') return t`${name} approved by the team. It waits for the client.`
  return t`${name} approved.`
}
