import { plural } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { ErrorState, LoadingRows } from '../design/states.tsx'
import { CommentRow } from './comment-row.tsx'
import classes from './comments.module.css'
import { threadQuery } from './comments-query.ts'
import { NewComment } from './new-comment.tsx'

/** What members and guests write about a post, oldest first. Each comment says who reads it. */
export function Comments({ postSetId }: { postSetId: string }) {
  const { t } = useLingui()
  const title = useRef<HTMLHeadingElement>(null)
  const { data, error, refetch } = useQuery(threadQuery(postSetId))
  const number = data?.data.length ?? 0
  return (
    <section className={classes.thread} aria-label={t`Comments`}>
      <h2 className={classes.title} ref={title} tabIndex={-1}>
        {number === 0 ? <Trans>Comments</Trans> : plural(number, { one: '# comment', other: '# comments' })}
      </h2>
      {error && !data ? (
        <ErrorState title={t`The comments could not be loaded`} error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <LoadingRows rows={1} label={t`Loading the comments…`} />
      ) : (
        <>
          {number > 0 && (
            <ol className={classes.list}>
              {data.data.map((comment) => (
                <CommentRow
                  key={comment.id}
                  postSetId={postSetId}
                  comment={comment}
                  people={data.people}
                  onGone={() => window.setTimeout(() => title.current?.focus())}
                />
              ))}
            </ol>
          )}
          <NewComment key={postSetId} postSetId={postSetId} people={data.people} />
        </>
      )}
    </section>
  )
}
