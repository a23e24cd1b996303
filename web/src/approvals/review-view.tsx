import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import { hasCode } from '../api/api-error.ts'
import { EmptyState, ErrorState, LoadingRows } from '../design/states.tsx'
import { socialSetsQuery } from '../frame/social-sets.ts'
import { reviewQuery } from '../planning/approvals/review-queries.ts'
import { postSetQuery } from '../post-set/post-set-queries.ts'
import { PostSetActionsProvider } from '../post-set-actions/post-set-actions-provider.tsx'
import { Review } from './review.tsx'

interface ReviewViewProps {
  postSetId: string
  /** The member decided about it here. */
  onDecided: (how: 'approved' | 'changes') => void
}

/** A post to be reviewed, once all of it has come. */
export function ReviewView({ postSetId, onDecided }: ReviewViewProps) {
  const { t } = useLingui()
  const review = useQuery(reviewQuery(postSetId))
  const post = useQuery(postSetQuery(postSetId))
  const brands = useQuery(socialSetsQuery)
  // After an action the focus is where the person decides, or on the main part when that has gone.
  const onFocus = useCallback(() => {
    requestAnimationFrame(() => {
      const place = document.querySelector<HTMLElement>('[data-review]') ?? document.querySelector<HTMLElement>('main')
      place?.focus()
    })
  }, [])
  const [item, postSet] = [review.data, post.data]
  const socialSet = brands.data?.find(({ id }) => id === item?.socialSetId)
  const error = [review, post, brands].find((query) => query.error && !query.data)?.error
  if (error && hasCode(error, 'post-set:not_found')) {
    return (
      <EmptyState>
        <Trans>There is no such post. It was deleted, or you may not see it.</Trans>
      </EmptyState>
    )
  }
  if (error) {
    return (
      <ErrorState
        title={t`The post could not be loaded`}
        error={error}
        onRetry={() => {
          for (const query of [review, post, brands]) void query.refetch()
        }}
      />
    )
  }
  if (!item || !postSet || !socialSet) return <LoadingRows rows={4} height={96} label={t`Loading the post…`} />
  return (
    <PostSetActionsProvider socialSet={socialSet} onFocus={onFocus} onLeave={onFocus}>
      <Review
        item={item}
        postSet={postSet}
        socialSet={socialSet}
        fresh={post.isFetchedAfterMount}
        onDecided={onDecided}
      />
    </PostSetActionsProvider>
  )
}
