import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { ChangesSince } from '#contract'
import * as LIMITS from '#contract/limits'
import { usePreferences } from '../../api/session.ts'
import { textsSinceQuery } from '../approvals/review-queries.ts'
import { ChangedPost } from './changed-post.tsx'
import classes from './changes-shown.module.css'
import { changeLines } from './history-words.ts'

interface ChangesShownProps {
  postSetId: string
  changed: ChangesSince
  zone: string
}

/** What changed in a post since a version: the fields of each network by name, with their texts below, everything else in a line. */
export function ChangesShown({ postSetId, changed: { since, version, changes, earlier }, zone }: ChangesShownProps) {
  const preferences = usePreferences()
  const { changed = [], order } = changes.posts ?? {}
  return (
    <ul className={classes.changes}>
      {changeLines({ action: 'updated', changes }, zone, preferences).map((line) => (
        <li key={line}>{line}</li>
      ))}
      {order && (
        <li>
          <Trans>The posts are in another order.</Trans>
        </li>
      )}
      {changed.map((post) => (
        <li key={post.id}>
          <ChangedPost
            post={post}
            texts={textsSinceQuery({ postSetId, postId: post.id, since, version })}
            // What one is to decide about is not one press away where there is one thing to see.
            isOpen={changed.length === 1}
          />
        </li>
      ))}
      {earlier > 0 && <li>{earlierWords(earlier)}</li>}
    </ul>
  )
}

/** "And 12 earlier changes", which are not compared: they are counted up to a limit, then one more. */
function earlierWords(count: number): string {
  if (count > LIMITS.exactTotal) return t`And more than 10,000 earlier changes, which are not compared.`
  return plural(count, {
    one: 'And # earlier change, which is not compared.',
    other: 'And # earlier changes, which are not compared.',
  })
}
