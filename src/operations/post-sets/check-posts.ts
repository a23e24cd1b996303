import { entryAt, type MediaFacts, type ProblemEntry, ProblemError } from '#contract'
import { isId, type PostContent } from '#domain'
import { checkPosts, type Networks, type PostToCheck } from '#networks'
import { connectionStates, type DatabaseTransaction, holdMediaFacts } from '#persistence'

export interface PostsToCheck {
  socialSetId: string
  posts: readonly PostContent[]
  /** Facts of the media items that the set has already, by the id of the library item. */
  knownFacts: ReadonlyMap<string, MediaFacts>
  /** Whether the rules of scheduled posts apply. */
  scheduled: boolean
}

/**
 * Checks that the library items of posts exist in their social set and, for scheduled posts, the rules of their
 * networks. All problems of all posts are told at once. The library items stay as they are until the transaction ends.
 *
 * @throws ProblemError `post-set:invalid_posts`
 */
export async function requireValidPosts(
  trx: DatabaseTransaction,
  networks: Networks,
  { socialSetId, posts, knownFacts, scheduled }: PostsToCheck,
): Promise<void> {
  const wanted = new Set(posts.flatMap(({ media }) => media.map(({ mediaId }) => mediaId)))
  const unknown = [...wanted].filter((id) => isId(id) && !knownFacts.has(id))
  const facts = new Map([...knownFacts, ...(await holdMediaFacts(trx, socialSetId, unknown))])
  const missing = posts.map((post, index) => missingMedia(post, index, facts))
  const entries = missing.flat()
  if (scheduled) {
    const toCheck = posts.map((post) => postToCheck(post, facts))
    const { problems } = checkPosts(networks, toCheck, await connectionStates(trx, socialSetId))
    // What is said of the media of a post without one of them would not be true of the post that is meant.
    entries.push(...problems.filter(({ path }) => !missing.some(([entry]) => entry && isOfMedia(path, entry.path))))
  }
  if (entries.length === 0) return
  entries.sort((a, b) => postIndex(a) - postIndex(b))
  const detail =
    entries.length === 1 && entries[0]
      ? entries[0].message
      : `The posts have ${entries.length} problems; errors lists them.`
  throw new ProblemError('post-set:invalid_posts', detail, { entries })
}

function missingMedia(post: PostContent, index: number, facts: ReadonlyMap<string, MediaFacts>): ProblemEntry[] {
  return post.media.flatMap(({ mediaId }, place) => {
    if (facts.has(mediaId)) return []
    const steps = ['posts', index, 'media', place, 'mediaLibraryId']
    const message = 'The media library of the social set has no item of this id.'
    return [entryAt(steps, 'post:media_not_found', message, { accountType: post.accountType })]
  })
}

/** Whether a path leads to the media of the same post as the path of a missing item. */
function isOfMedia(path: string, missing: string): boolean {
  return path.startsWith(missing.slice(0, missing.indexOf('.media') + '.media'.length))
}

function postIndex({ path }: ProblemEntry): number {
  return Number(/^posts\[(\d+)\]/.exec(path)?.[1] ?? 0)
}

function postToCheck(post: PostContent, facts: ReadonlyMap<string, MediaFacts>): PostToCheck {
  const { accountType, caption, fields, media } = post
  return {
    accountType,
    caption,
    fields,
    media: media.flatMap((item) => {
      const found = facts.get(item.mediaId)
      const { altText, title, description, link, tags } = item
      return found ? [{ facts: found, altText, title, description, link, tags }] : []
    }),
  }
}
