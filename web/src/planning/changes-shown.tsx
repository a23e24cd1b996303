import { Trans } from '@lingui/react/macro'
import type { ChangesSince } from '#contract'
import { usePreferences } from '../api/session.ts'
import { ChangedPost } from './changed-post.tsx'
import classes from './changes-shown.module.css'
import { changeLines } from './history-words.ts'
import { textsSinceQuery } from './review-queries.ts'

interface ChangesShownProps {
  postSetId: string
  changed: ChangesSince
  zone: string
}

/** What changed in a post since a version: the fields of each network by name, with their texts below, everything else in a line. */
export function ChangesShown({ postSetId, changed: { since, version, changes }, zone }: ChangesShownProps) {
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
    </ul>
  )
}
