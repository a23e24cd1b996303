import type { PostSet } from '#contract'

/** Whether a post is over, and no network has any of it. What to do then is said beside what failed. */
export const didNotGoOut = ({ status, posts }: Pick<PostSet, 'status' | 'posts'>) =>
  status === 'PUBLISHED' && posts.every(({ result }) => result?.status === 'FAILED')
