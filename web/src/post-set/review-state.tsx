import { useQuery } from '@tanstack/react-query'
import { ApprovalCount, ChangedSinceYours, NoReviewerLeft } from '../planning/approvals/review-notices.tsx'
import { reviewQuery } from '../planning/approvals/review-queries.ts'

/** Who has to approve a post and has, and what changed since the reader did. */
export function ReviewState({ postSetId }: { postSetId: string }) {
  const { data: item } = useQuery(reviewQuery(postSetId))
  if (!item) return null
  return (
    <>
      <ApprovalCount item={item} />
      <NoReviewerLeft item={item} />
      <ChangedSinceYours item={item} />
    </>
  )
}
