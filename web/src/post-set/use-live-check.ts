import { useQuery } from '@tanstack/react-query'
import type { CaptionCount, PostSetValidation, ProblemEntry } from '#contract'
import { APPROVAL_REQUIRED } from '../post-set-actions/requests.ts'
import { sayOfNow, type Written } from './checked.ts'
import { type PostSetBody, validate } from './post-set-queries.ts'
import { textLength, textTooLong } from './text-length.ts'
import { usePaused } from './use-paused.ts'

export interface LiveCheck {
  /** What is written now, as JSON. */
  text: string
  /** That no request takes what is written; then it is the only problem. Null: it is checked by the server. */
  tooLong: ProblemEntry | null
  /** What stops this from being scheduled. */
  problems: readonly ProblemEntry[]
  warnings: readonly ProblemEntry[]
  /** How long each caption is, as its network counts. */
  counts: readonly CaptionCount[]
  /** The check of what is written now is under way. */
  checking: boolean
  error: unknown
}

/** The server's check of what is being written, a moment after the last key. The rules are the server's alone. */
export function useLiveCheck(body: PostSetBody): LiveCheck {
  // As scheduled, also for what may stay a draft: so the writer learns what is missing.
  const text = JSON.stringify({ ...body, status: 'SCHEDULED' })
  const settled = usePaused(text)
  const checked = JSON.parse(settled) as PostSetBody
  const tooLong = textTooLong(body.posts)
  const { data, isFetching, error } = useQuery({
    queryKey: ['post-set-check', settled],
    queryFn: async ({ signal }): Promise<Answered> => ({
      posts: checked.posts,
      answer: await validate(checked, signal),
    }),
    enabled: checked.posts.length > 0 && textTooLong(checked.posts) === null,
    placeholderData: (previous) => previous,
    gcTime: 60_000,
  })
  const { posts, answer } = checked.posts.length > 0 && data ? data : NOTHING
  const ofNow = <One extends CaptionCount | ProblemEntry>(entries: readonly One[]) =>
    sayOfNow(entries, posts, body.posts)
  // Nothing that is written can mend it: it decides what can be done with the post.
  const problems = ofNow(answer.problems).filter(({ code }) => code !== APPROVAL_REQUIRED)
  if (tooLong) {
    const lengths = body.posts.map(({ caption }) => textLength(caption))
    const counts = ofNow(answer.counts).map((count) => ({ ...count, actual: lengths[placeOf(count)] ?? count.actual }))
    return { text, tooLong, problems: [tooLong], warnings: [], counts, checking: false, error: null }
  }
  const checking = isFetching || settled !== text
  return { text, tooLong, problems, warnings: ofNow(answer.warnings), counts: ofNow(answer.counts), checking, error }
}

interface Answered {
  /** What was checked: the answer stays until the next one is there. */
  posts: readonly Written[]
  answer: PostSetValidation
}

const NOTHING: Answered = { posts: [], answer: { valid: true, problems: [], warnings: [], counts: [] } }

const placeOf = ({ path }: CaptionCount) => Number(/^posts\[(\d+)\]/.exec(path)?.[1])

/** How much of a caption all of these networks take, in UTF-16 code units; null: all of it. */
export function fitsOf(counts: readonly CaptionCount[]): number | null {
  const bounds = counts.flatMap(({ fits }) => fits ?? [])
  return bounds.length === 0 ? null : Math.min(...bounds)
}

/** What is counted of the caption of a post, or of one of its further parts. */
export const countsAt = (counts: readonly CaptionCount[], place: string): CaptionCount[] =>
  counts.filter(({ path }) => path === `${place}.caption`)

/** Entries about one post, by its place in the list. */
export function ofPost<Entry extends { path: string }>(entries: readonly Entry[], index: number): Entry[] {
  return entries.filter(({ path }) => path === `posts[${index}]` || path.startsWith(`posts[${index}].`))
}
