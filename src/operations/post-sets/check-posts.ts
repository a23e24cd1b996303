import { countedProblems, entryAt, LIMITS, type MediaFacts, type ProblemEntry, ProblemError } from '#contract'
import { allMedia, croppedFacts, isId, type MediaContent, type PlannedPost, type PostContent } from '#domain'
import { checkPosts, type Networks, type PostsCheck, type PostToCheck } from '#networks'
import {
  type ConnectionState,
  connectionStates,
  type Database,
  type DatabaseTransaction,
  findMediaFacts,
  type PostSetRow,
} from '#persistence'

/** Facts of media items, by the id of the library item. */
type FactsById = ReadonlyMap<string, MediaFacts>

/**
 * The facts of every existing library item of the posts. Items that are new to the set (`known` lists the others)
 * are locked until the transaction ends; the others count even if they have been deleted meanwhile.
 */
export async function holdFacts(
  db: Database,
  socialSetId: string,
  posts: readonly PostContent[],
  known: FactsById,
): Promise<FactsById> {
  return new Map([...known, ...(await findMediaFacts(db, socialSetId, mediaOf(posts, known), { hold: true }))])
}

/** The same for posts that are only checked. */
export async function readFacts(db: Database, socialSetId: string, posts: readonly PostContent[]): Promise<FactsById> {
  return findMediaFacts(db, socialSetId, mediaOf(posts, new Map()), { hold: false })
}

function mediaOf(posts: readonly PostContent[], known: FactsById): string[] {
  const wanted = new Set(posts.flatMap((post) => allMedia(post).map(({ mediaId }) => mediaId)))
  return [...wanted].filter((id) => isId(id) && !known.has(id))
}

/** Posts in the form that plan checks need. */
export function plannedPosts(posts: readonly PostContent[], facts: FactsById): PlannedPost[] {
  const typesOf = (media: readonly MediaContent[]) => media.map(({ mediaId }) => facts.get(mediaId)?.type ?? null)
  return posts.map(({ accountType, fields, media, thread }) => ({
    accountType,
    fields,
    media: typesOf(media),
    thread: thread.map((part) => typesOf(part.media)),
  }))
}

interface PostsToCheck {
  socialSetId: string
  posts: readonly PostContent[]
  facts: FactsById
  /** The open connections of the social set; read when they are not given. */
  connections?: readonly ConnectionState[]
  /** A person is about to schedule them, who chooses for each post what networks want so. Default: false. */
  byPerson?: boolean
}

/** Items that are not in the media library of the social set: a problem at any status. */
export function missingMedia({ posts, facts }: PostsToCheck): ProblemEntry[] {
  return posts.flatMap((post, index) =>
    [post, ...post.thread].flatMap(({ media }, part) =>
      media.flatMap(({ mediaId }, place) => {
        if (facts.has(mediaId)) return []
        const steps = ['posts', index, ...(part === 0 ? [] : ['thread', part - 1]), 'media', place, 'mediaLibraryId']
        const message = 'The media library of the social set has no item with this id.'
        return [entryAt(steps, 'post:media_not_found', message, { accountType: post.accountType })]
      }),
    ),
  )
}

/**
 * Problems of posts by the rules for scheduling. The media of a post with a missing item is not checked: the result
 * would not apply to the intended post.
 */
export async function checkRules(db: Database, networks: Networks, check: PostsToCheck): Promise<PostsCheck> {
  const missing = new Set(
    missingMedia(check).map(({ path }) => path.slice(0, path.indexOf('.media') + '.media'.length)),
  )
  const reported = ({ path }: ProblemEntry) => ![...missing].some((media) => path.startsWith(media))
  const toCheck = check.posts.map((post) => postToCheck(post, check.facts))
  const connections = check.connections ?? (await connectionStates(db, check.socialSetId))
  const { problems, warnings, counts } = checkPosts(networks, toCheck, connections, check)
  return { problems: problems.filter(reported), warnings: warnings.filter(reported), counts }
}

/**
 * Refuses posts whose library items are missing and, when `scheduled`, those that break the rules of their networks. All
 * problems of all posts are reported at once.
 *
 * @throws ProblemError `post-set:invalid_posts`
 */
export async function requireValidPosts(
  db: Database,
  networks: Networks,
  check: PostsToCheck,
  { scheduled }: { scheduled: boolean },
): Promise<void> {
  const { problems } = scheduled ? await checkRules(db, networks, check) : { problems: [] }
  const entries = [...missingMedia(check), ...problems]
    .sort((a, b) => postIndex(a) - postIndex(b))
    .slice(0, LIMITS.problems)
  const [first] = entries
  if (!first) return
  const detail = entries.length === 1 ? first.message : countedProblems('The posts have', entries.length)
  throw new ProblemError('post-set:invalid_posts', detail, { entries })
}

/**
 * Refuses to schedule a set whose posts break the rules.
 *
 * @throws ProblemError `post-set:invalid_posts`
 */
export async function requireValidSet(
  trx: DatabaseTransaction,
  networks: Networks,
  { socialSetId, posts }: PostSetRow,
): Promise<void> {
  const facts = await holdFacts(trx, socialSetId, posts, new Map())
  await requireValidPosts(trx, networks, { socialSetId, posts, facts }, { scheduled: true })
}

function postIndex({ path }: ProblemEntry): number {
  return Number(/^posts\[(\d+)\]/.exec(path)?.[1] ?? 0)
}

function postToCheck(post: PostContent, facts: FactsById): PostToCheck {
  const { accountType, caption, fields, media, thread } = post
  const checked = (items: readonly MediaContent[]) =>
    items.flatMap((item) => {
      const found = facts.get(item.mediaId)
      const { id: _, mediaId: __, ...rest } = item
      return found ? [{ ...rest, facts: croppedFacts(found, item.crop) }] : []
    })
  return {
    accountType,
    caption,
    fields,
    media: checked(media),
    thread: thread.map((part) => ({ caption: part.caption, media: checked(part.media) })),
  }
}
