// What can be done about a problem of the check with one click.
import type { MediaCrop, NetworkDescription, ProblemEntry } from '#contract'
import { captionOf, changePost, mediaOf } from './draft.ts'
import type { Draft, DraftMedia, DraftPost } from './draft-shape.ts'
import { fitsWithout, shortened } from './shorten.ts'

export type Fix =
  /** Cuts so many characters off the text of this network. */
  | { kind: 'shorten'; by: number }
  /** Gives the network a text of its own. */
  | { kind: 'own-text' }
  | { kind: 'leave-out' }
  | { kind: 'crop'; uid: string; ratio: Ratio }
  /** Gives all pictures the largest size that each of them has. */
  | { kind: 'crop-alike' }
  | { kind: 'pad' }
  | { kind: 'make-story' }
  | { kind: 'keep-first'; count: number }
  /** @param number counted from 1 */
  | { kind: 'take-out'; uid: string; number: number }
  /** Shows the field. */
  | { kind: 'fill-in' }
  | { kind: 'reconnect' }

interface Ratio {
  /** "4:5". */
  name: string
  /** Width by height. */
  value: number
}

export const RATIOS: readonly Ratio[] = [
  { name: '9:16', value: 9 / 16 },
  { name: '2:3', value: 2 / 3 },
  { name: '4:5', value: 4 / 5 },
  { name: '1:1', value: 1 },
  { name: '1.91:1', value: 1.91 },
  { name: '16:9', value: 16 / 9 },
]

/** The place of the post that a problem is about; null of what is about all. */
export function postOf({ path }: Pick<ProblemEntry, 'path'>): number | null {
  const [, index] = /^posts\[(\d+)\]/.exec(path) ?? []
  return index === undefined ? null : Number(index)
}

/** Fixes of a problem, the best last. */
export function fixesOf(draft: Draft, network: NetworkDescription | undefined, problem: ProblemEntry): Fix[] {
  const index = postOf(problem)
  const post = index === null ? undefined : draft.posts[index]
  if (index === null || !post) return []
  const { code, limit, actual } = problem
  // What mends a post does not mend its further parts.
  if (/\.thread\[/.test(problem.path)) return [{ kind: 'fill-in' }]
  const media = mediaOf(draft, post)
  const item = mediaAt(media, problem)
  const number = item ? media.indexOf(item) + 1 : 0
  const takeOut: Fix[] = item ? [{ kind: 'take-out', uid: item.uid, number }] : []
  const leaveOut: Fix = { kind: 'leave-out' }
  switch (code) {
    case 'post:caption_too_long': {
      if (limit === undefined || actual === undefined) return [{ kind: 'own-text' }]
      const own: Fix[] = post.caption === null && draft.posts.length > 1 ? [{ kind: 'own-text' }] : []
      return [...own, { kind: 'shorten', by: actual - limit }]
    }
    case 'post:media_ratio': {
      const ratio =
        item?.type === 'IMAGE' && limit !== undefined && actual !== undefined ? ratioFor(limit, actual) : null
      const story: Fix[] = mayBeStory(network, post, media) ? [{ kind: 'make-story' }] : []
      return ratio && item
        ? [leaveOut, ...story, { kind: 'pad' }, { kind: 'crop', uid: item.uid, ratio }]
        : [leaveOut, ...takeOut, ...story]
    }
    case 'post:media_count':
      return limit !== undefined && limit > 0 && (actual ?? 0) > limit
        ? [leaveOut, { kind: 'keep-first', count: limit }]
        : [leaveOut]
    case 'post:field_required':
    case 'post:field_too_long':
    case 'post:field_invalid':
      return network ? [leaveOut, { kind: 'fill-in' }] : [leaveOut]
    case 'post:account_reconnect_required':
    case 'post:account_not_connected':
      return [{ kind: 'reconnect' }, leaveOut]
    case 'post:media_dimensions':
      // Without a limit it is the other files that it is measured by.
      return limit === undefined && media.every(({ type }) => type === 'IMAGE')
        ? [...takeOut, leaveOut, { kind: 'crop-alike' }]
        : [...takeOut, leaveOut]
    case 'post:media_type':
    case 'post:media_size':
    case 'post:media_duration':
    case 'post:media_codec':
    case 'post:media_mix':
      return [...takeOut, leaveOut]
    default:
      return [leaveOut]
  }
}

/**
 * Fixes of all problems of one post, each once. Leaving the post out comes last, as the best, where one of them has no
 * other fix; else before what mends it.
 */
export function fixesOfAll(
  draft: Draft,
  network: NetworkDescription | undefined,
  problems: readonly ProblemEntry[],
): Fix[] {
  const lists = problems.map((problem) => fixesOf(draft, network, problem))
  if (lists.length === 1) return lists[0] ?? []
  const mending = lists.flat().filter(({ kind }) => kind !== 'leave-out')
  const leaving: Fix[] = lists.flat().some(({ kind }) => kind === 'leave-out') ? [{ kind: 'leave-out' }] : []
  const stuck = lists.some((list) => list.every(({ kind }) => kind === 'leave-out'))
  return stuck ? [...mending, ...leaving] : [...leaving, ...mending]
}

/**
 * The draft with a fix made; unchanged by those that only show something.
 *
 * @param fits of its caption, what its network takes: UTF-16 code units; null where that is not what is too much
 */
export function withFix(draft: Draft, index: number, fix: Fix, fits: number | null = null): Draft {
  const post = draft.posts[index]
  if (!post) return draft
  const changeFiles = (change: (media: readonly DraftMedia[]) => readonly DraftMedia[]) =>
    post.media === null
      ? { ...draft, media: change(draft.media) }
      : changePost(draft, index, { media: change(post.media) })
  switch (fix.kind) {
    case 'shorten': {
      const caption = captionOf(draft, post)
      return changePost(draft, index, { caption: shortened(caption, fits ?? fitsWithout(caption, fix.by)) })
    }
    case 'own-text':
      return changePost(draft, index, { caption: captionOf(draft, post) })
    case 'leave-out':
      return { ...draft, posts: draft.posts.filter((_, place) => place !== index) }
    case 'crop':
      return changeFiles((media) =>
        media.map((item) => (item.uid === fix.uid ? { ...item, crop: cropTo(item, fix.ratio.value) } : item)),
      )
    case 'crop-alike':
      return changeFiles(croppedAlike)
    case 'pad':
      return changePost(draft, index, { fields: { ...post.fields, fit: 'PAD' } })
    case 'make-story':
      return changePost(draft, index, { fields: { ...post.fields, type: STORY }, typeChosen: true })
    case 'keep-first':
      // Other networks may take more of them.
      return changePost(draft, index, { media: mediaOf(draft, post).slice(0, fix.count) })
    case 'take-out':
      return changePost(draft, index, { media: mediaOf(draft, post).filter(({ uid }) => uid !== fix.uid) })
    default:
      return draft
  }
}

/** The file that a problem is about, by its path `posts[0].media[2]`. */
function mediaAt(media: readonly DraftMedia[], { path }: ProblemEntry): DraftMedia | undefined {
  const [, place] = /\.media\[(\d+)\]/.exec(path) ?? []
  // What is on its way was not checked.
  const checked = media.filter(({ upload }) => upload === null)
  return place === undefined ? (checked.length === 1 ? checked[0] : undefined) : checked[Number(place)]
}

/** Each picture with the middle of it that has the width and the height of the smallest. */
function croppedAlike(media: readonly DraftMedia[]): DraftMedia[] {
  const pictures = media.filter(({ upload }) => upload === null)
  const [width, height] = [
    Math.min(...pictures.map((item) => item.width)),
    Math.min(...pictures.map((item) => item.height)),
  ]
  return media.map((item) => {
    if (item.upload !== null) return item
    const share = { width: width / item.width, height: height / item.height }
    const whole = share.width === 1 && share.height === 1
    return { ...item, crop: whole ? null : { x: (1 - share.width) / 2, y: (1 - share.height) / 2, ...share } }
  })
}

const STORY = 'STORY'

/** Files that all stand upright, where the network has stories of so many. */
function mayBeStory(network: NetworkDescription | undefined, post: DraftPost, media: readonly DraftMedia[]): boolean {
  const most = network?.forms.find(({ type }) => type === STORY)?.media.max ?? 0
  if (media.length === 0 || media.length > most || post.fields.type === STORY) return false
  return media.every(({ width, height }) => height > width)
}

/** The usual ratio nearest to the bound that was passed, on its good side. */
function ratioFor(limit: number, actual: number): Ratio | null {
  const slack = 0.005
  const wide = actual > limit
  const good = RATIOS.filter(({ value }) => (wide ? value <= limit + slack : value >= limit - slack))
  const nearest = good.toSorted((a, b) => Math.abs(a.value - limit) - Math.abs(b.value - limit))
  return nearest[0] ?? null
}

/** The middle of a picture in this ratio, as large as can be. */
export function cropTo({ width, height }: Pick<DraftMedia, 'width' | 'height'>, ratio: number): MediaCrop | null {
  if (width === 0 || height === 0) return null
  const whole = width / height
  if (Math.abs(whole - ratio) < 0.001) return null
  const share = whole > ratio ? { width: ratio / whole, height: 1 } : { width: 1, height: whole / ratio }
  return { x: (1 - share.width) / 2, y: (1 - share.height) / 2, ...share }
}
