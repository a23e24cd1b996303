import { CLOCK_SKEW_MS, chooseOwn, doubtedFence, ID_WAIT_MS, newEntries, WAITS } from '../kit/lookup.ts'
import { failedFinding, whileFinding } from '../kit/outcomes.ts'
import type { Stop } from '../kit/pending.ts'
import { isUnreadable } from '../meta/graph.ts'
import { isMessageOf, isOnlyMentions } from '../meta/mentions.ts'
import type { Attempt, FindOutcome } from '../network.ts'
import { errors, stopForVideo, stopOf } from './outcomes.ts'
import { wayOf } from './post.ts'
import { readState } from './state.ts'
import { type ListedPost, listPosts, listStories, readPost, readVideo, readWords, type Video } from './wire.ts'

const cannotTell = (message: string): FindOutcome => ({ kind: 'cannot-tell', message })
const ABSENT: FindOutcome = { kind: 'absent' }
const found = (attempt: Attempt, post: Parameters<typeof permalinkOf>[1]): FindOutcome => ({
  kind: 'found',
  providerId: post.id,
  permalink: permalinkOf(attempt, post),
})
const NAMELESS: FindOutcome = { kind: 'found', providerId: null, permalink: null }
const SIMILAR = 'Facebook lists what may be this post, and may be another one.'
const UNREADABLE = 'Facebook lists something that cannot be read, and it may be the post.'

const MENTIONS =
  'Facebook shows the post without the name of a Page that it mentions, as it does where the app lacks the reviewed feature Page Mentioning. Edit the post on Facebook, and write names of Pages as plain text.'

/** Looks whether the visible call had its effect. Best effort: whether mentions of a post that is there are shown. */
export async function find(attempt: Attempt): Promise<FindOutcome> {
  const outcome = await look(attempt)
  const { text = '' } = attempt.words
  if (outcome.kind !== 'found' || outcome.providerId === null || !text.includes('@[')) return outcome
  const asked = wayOf(attempt.post).seen === 'post' ? await readWords(attempt, outcome.providerId) : null
  const shown = asked?.kind === 'ok' ? asked.value.message : text
  if (isMessageOf(text, shown, 1) || !isMessageOf(text, shown)) return outcome
  return { ...outcome, warnings: [{ code: 'post:mentions_removed', message: MENTIONS }] }
}

async function look(attempt: Attempt): Promise<FindOutcome> {
  const { photos, video, post } = readState(attempt.handles)
  if (post) {
    return { kind: 'found', providerId: post.id, permalink: post.permalink ?? (await storyPermalink(attempt, post.id)) }
  }
  const { seen } = wayOf(attempt.post)
  // Uploads are forgotten only when they are certain not to be published, and without them nothing was.
  if (seen !== 'post' && !video && photos.length === 0) return ABSENT
  return seen === 'video' ? findByStatus(attempt, ABSENT) : findListed(attempt)
}

/**
 * Photos, or the video of a story, make a post ours without any doubt; a text only with its words, its time and what was
 * there before.
 */
async function findListed(attempt: Attempt): Promise<FindOutcome> {
  const { photos, video, known } = readState(attempt.handles)
  const isStory = wayOf(attempt.post).seen === 'story'
  const ids = video ? [video.id] : photos
  const listed = await newEntries(attempt, {
    skewMs: CLOCK_SKEW_MS,
    list: (from) => (isStory ? listStories(attempt, from) : listPosts(attempt, from, ids.length > 0)),
    at: (entry) => entry?.at ?? null,
    meaningOf: (answer) => errors.lookUp(answer, attempt.now()).meaning,
  })
  if (listed.kind !== 'entries') return listed
  if (!listed.isSure) return cannotTell(doubtedFence('Facebook'))
  if (!listed.whole) return cannotTell('Facebook lists more new posts than can be looked through.')
  const posts = listed.entries.filter((each) => each !== null)
  const like = posts.filter(({ id, message, attached }) =>
    ids.length > 0 ? attached.some((each) => ids.includes(each)) : !known?.includes(id) && isOurs(attempt, message),
  )
  const alike = await withCards(attempt, like)
  if (alike === null) return cannotTell(SIMILAR)
  const nothing = posts.length < listed.entries.length ? cannotTell(UNREADABLE) : ABSENT
  const byWords = ids.length === 0 ? await amongOthers(attempt, alike, nothing) : null
  if (byWords?.kind === 'outcome') return byWords.outcome
  const [post, ...others] = byWords ? [byWords.post] : alike
  if (!post) return isStory ? findByStatus(attempt, nothing) : nothing
  // Of two that look alike nobody can tell which is ours; that one of them is, they say themselves.
  if (others.length > 0) return NAMELESS
  // Best effort: a post opens under its id as well.
  const asked = post.permalink === null ? await readPost(attempt, post.id) : null
  return found(attempt, asked?.kind === 'ok' ? asked.value : post)
}

const isOurs = ({ sentWords }: Attempt, shown: string) => sentWords.some(({ text = '' }) => isMessageOf(text, shown))

/** Which of the posts with its words is ours, beside other deliveries that have the same; what that leads to when none is for certain. */
async function amongOthers(
  attempt: Attempt,
  alike: readonly ListedPost[],
  nothing: FindOutcome,
): Promise<{ kind: 'post'; post: ListedPost } | { kind: 'outcome'; outcome: FindOutcome }> {
  const outcome = (of: FindOutcome) => ({ kind: 'outcome', outcome: of }) as const
  const { known } = readState(attempt.handles)
  const isDoubtful =
    known === null ||
    isOnlyMentions(attempt.words.text ?? '') ||
    (alike.length > 0 && alike.every(({ at }) => at === null))
  if (isDoubtful) {
    const { taken } = await attempt.others()
    if (alike.some(({ id }) => !taken.has(id))) return outcome(cannotTell(SIMILAR))
  }
  const chosen = await chooseOwn(attempt, alike, { id: ({ id }) => id, at: ({ at }) => at })
  switch (chosen.kind) {
    case 'entry':
      return { kind: 'post', post: chosen.entry }
    case 'none':
      return outcome(nothing)
    case 'wait':
      return outcome(WAITS)
    case 'several':
      return outcome(chosen.isContested ? cannotTell(SIMILAR) : NAMELESS)
  }
}

/** So many posts are asked one by one what they hold. */
const MOST_ASKED = 5

/**
 * For a carousel, the posts without those that are certain not to be one. Null when nothing tells a post from others: it
 * has no words, and what it holds cannot be read.
 */
async function withCards(attempt: Attempt, posts: readonly ListedPost[]): Promise<readonly ListedPost[] | null> {
  if (wayOf(attempt.post).of !== 'cards' || posts.length > MOST_ASKED) return posts
  const cards: ListedPost[] = []
  for (const post of posts) {
    const asked = await readPost(attempt, post.id)
    const attachment = asked.kind === 'ok' ? asked.value.attachment : null
    if (attachment === null && post.message === '') return null
    if (attachment === null || attachment.startsWith('multi_share')) cards.push(post)
  }
  return cards
}

/**
 * Notes down the posts of the same words that are there before the visible call, so that none of them is taken for it. A
 * Page that may not be listed is published to all the same: then an unknown outcome stays unknown.
 */
export async function noteKnown(attempt: Attempt): Promise<Stop | null> {
  if (attempt.fencedAt !== null || readState(attempt.handles).known !== null) return null
  const asked = await listPosts(attempt, since(attempt))
  if (isUnreadable(asked)) return null
  if (asked.kind !== 'ok') {
    const stop = await stopOf(attempt, asked)
    return stop.kind === 'refused' ? null : stop
  }
  const { entries } = asked.value
  const known = entries.flatMap((each) => (each && isOurs(attempt, each.message) ? [each.id] : []))
  await attempt.store({ known })
  return null
}

/** A video is ours by its id; its status says what became of it, or of its story. `otherwise`: it was not taken. */
async function findByStatus(attempt: Attempt, otherwise: FindOutcome): Promise<FindOutcome> {
  const { video, taken: ours } = readState(attempt.handles)
  const asked = video && (await readVideo(attempt, video.id))
  if (asked?.kind === 'failed') return failedFinding(asked)
  if (asked?.kind === 'refused') return whileFinding(errors.classify(asked.answer, attempt.now()).meaning)
  const status = asked?.value
  if (status?.failure) return absentFor(attempt, status.failure)
  const isTaken = ours || status?.taken || status?.working
  if (wayOf(attempt.post).seen === 'story') {
    const late = attempt.now().getTime() - since(attempt).getTime() > ID_WAIT_MS
    if (isTaken && late && (status ? status.live : ours)) return NAMELESS
    return isTaken ? cannotTell('Facebook has the story and does not list it yet.') : otherwise
  }
  if (video && status?.live) return found(attempt, { id: video.id, permalink: status.permalink })
  if (status?.draft) return cannotTell('Facebook keeps the video as a draft. Share it on the Page.')
  return isTaken ? cannotTell('Facebook is still working on the video.') : otherwise
}

/** A video whose work has failed is nowhere. What is left to try, or to tell, is noted down for `prepare`. */
async function absentFor(attempt: Attempt, failure: NonNullable<Video['failure']>): Promise<FindOutcome> {
  const verdict = await stopForVideo(attempt, failure)
  if (verdict.kind === 'refused') await attempt.store({ verdict, taken: false, takenAt: null })
  return ABSENT
}

/** Best effort: the story is there with or without its address. */
async function storyPermalink(attempt: Attempt, id: string): Promise<string> {
  const asked = await listStories(attempt, since(attempt))
  const story = asked.kind === 'ok' ? asked.value.entries.find((each) => each?.id === id) : undefined
  return permalinkOf(attempt, story ?? { id, permalink: null })
}

/** What the network tells may lack its host; every post opens under its id as well. */
export function permalinkOf(attempt: Attempt, post: { id: string; permalink: string | null }): string {
  const site = `${attempt.endpoint('dialog')}/`
  const address = post.permalink === null ? null : URL.parse(post.permalink, site)
  return address && /^https?:$/.test(address.protocol) ? address.href : `${site}${post.id}`
}

/** When the post cannot have been there yet. */
const since = ({ fencedAt, now }: Attempt) => new Date((fencedAt ?? now()).getTime() - CLOCK_SKEW_MS)
