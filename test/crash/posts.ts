import { ACCOUNT_TYPES, type AccountType } from '#contract'

/** Ids of media in the library. */
export interface Media {
  photo: string
  /** Of a shape that Instagram's feed does not take. */
  tall: string
  video: string
}

/** What posts that go out together have in common. Their points have the same names, so each kind is planned by itself. */
export type Kind =
  | 'plain'
  /** With an access token that the network refuses, so that it is refreshed. */
  | 'refreshing'
  /** Several stories in each post. */
  | 'stories'
  /** What goes another way than that of `SAMPLES`: see `OTHER_SAMPLES`. */
  | 'other'

/** What kind of way a post goes: one call; files sent first; something built first that the network works on. */
export type Way = 'one call' | 'upload' | 'container'

interface Sample {
  way: Way
  /** Fields besides type and caption. */
  post(caption: string, media: Media): object
}

const photo = (media: Media) => [{ mediaLibraryId: media.photo, altText: 'A loaf of bread' }]
const video = (media: Media) => [{ mediaLibraryId: media.video }]

const commented = (caption: string) => ({ options: { firstComment: commentOf(caption) } })

/** Parts of a thread behind its post. */
export const FURTHER = [2, 3] as const
const threaded = (caption: string) => ({
  thread: FURTHER.map((number) => ({ caption: furtherOf(caption, number), media: [] })),
})

/**
 * One post of each account type, by the way that has the most steps there, with a thread and a first comment where it takes them; texts
 * where that is all there is.
 */
export const SAMPLES: Record<AccountType, Sample> = {
  BLUESKY: { way: 'one call', post: (caption) => ({ media: [], ...threaded(caption) }) },
  TWITTER: {
    way: 'upload',
    post: (caption, media) => ({ media: photo(media), ...threaded(caption) }),
  },
  THREADS: {
    way: 'container',
    post: (caption, media) => ({ media: photo(media), ...threaded(caption), ...commented(caption) }),
  },
  INSTAGRAM: {
    way: 'container',
    post: (caption, media) => ({
      type: 'IMAGE',
      collaborators: [],
      firstComment: commentOf(caption),
      media: photo(media),
    }),
  },
  FACEBOOK: {
    way: 'upload',
    post: (caption, media) => ({ type: 'IMAGE', richCaption: [caption], media: photo(media), ...commented(caption) }),
  },
  LINKEDIN_PAGE: {
    way: 'upload',
    post: (caption, media) => ({ richCaption: [caption], media: photo(media), ...commented(caption) }),
  },
  LINKEDIN_PERSONAL: { way: 'one call', post: (caption) => ({ richCaption: [caption], media: [] }) },
  GMB: {
    way: 'one call',
    post: () => ({ media: [], ctaType: 'LEARN_MORE', ctaUrl: 'https://example.com/bread' }),
  },
  PINTEREST: {
    way: 'one call',
    post: (_, media) => ({ title: 'Bread', website: 'https://example.com/bread', media: photo(media) }),
  },
  TIKTOK: { way: 'container', post: (_, media) => ({ media: video(media) }) },
  YOUTUBE: {
    way: 'upload',
    post: (caption, media) => ({ title: 'Bread', privacy: 'PUBLIC', media: video(media), ...commented(caption) }),
  },
}

/** What the same networks take by a way of their own: pictures as a document, a picture that is brought into shape, a video for the inbox. */
export const OTHER_SAMPLES = {
  LINKEDIN_PAGE: {
    post: (caption, media) => ({
      richCaption: [caption],
      media: [...photo(media), { mediaLibraryId: media.tall }],
      options: { documentTitle: 'Breads', firstComment: commentOf(caption) },
    }),
  },
  INSTAGRAM: {
    post: (caption, media) => ({
      type: 'IMAGE',
      collaborators: [],
      firstComment: commentOf(caption),
      media: [{ mediaLibraryId: media.tall }],
      fit: 'PAD',
    }),
  },
  TIKTOK: { post: (_, media) => ({ media: video(media), options: { mode: 'INBOX' } }) },
} satisfies Partial<Record<AccountType, Pick<Sample, 'post'>>>
const isOther = (accountType: AccountType): accountType is keyof typeof OTHER_SAMPLES => accountType in OTHER_SAMPLES

/** A post of a kind, without its type and caption. */
export function fieldsOf(kind: Kind, accountType: AccountType, { caption, items }: Content, media: Media): object {
  if (kind === 'stories') return storiesOf(accountType, caption, items, media)
  if (kind === 'other' && isOther(accountType)) return OTHER_SAMPLES[accountType].post(caption, media)
  return SAMPLES[accountType].post(caption, media)
}

/** What a post says. */
export interface Content {
  caption: string
  /** How many visible calls a post has that has no text there to know it by; 0 for all others. */
  items: number
}

/** Of stories, and of the post that takes their place: what the ledger has tells them apart. */
const [STORIES, OTHER_STORIES] = [3, 4]
export const itemsOf = (kind: Kind, accountType: AccountType, { isSwapped }: { isSwapped: boolean }): number => {
  if (kind === 'stories') return isSwapped ? OTHER_STORIES : STORIES
  return kind === 'other' && accountType === 'TIKTOK' ? 1 : 0
}

/** Networks on which each item of a story is a visible call of its own. */
export const STORYTELLERS = ['INSTAGRAM', 'FACEBOOK'] as const satisfies readonly AccountType[]

/** So many stories in one post. Their caption stays in Almanac. */
const storiesOf = (accountType: AccountType, caption: string, count: number, media: Media) => ({
  type: 'STORY',
  media: Array.from({ length: count }, () => ({ mediaLibraryId: media.photo })),
  ...(accountType === 'INSTAGRAM' ? { collaborators: [], firstComment: null } : { richCaption: [caption] }),
})

const COMMENTED: readonly AccountType[] = ['INSTAGRAM', 'FACEBOOK', 'LINKEDIN_PAGE', 'YOUTUBE', 'THREADS']
export const hasComment = (accountType: AccountType) => COMMENTED.includes(accountType)
/** Without the words of a fault: the token of a post is refused once. */
export const commentOf = (caption: string) => `Comment on ${caption.replace(/ \[\[.*/, '')}`

const THREADED: readonly AccountType[] = ['TWITTER', 'THREADS', 'BLUESKY']
export const hasThread = (accountType: AccountType) => THREADED.includes(accountType)
export const furtherOf = (caption: string, number: number) => `Part ${number} of ${caption}`
/** Of a part or a comment, which are listed with posts where they are replies. */
export const isFurther = (text: string) => /^(Part \d|Comment on)/.test(text)

export const networkOf = (accountType: AccountType): string => ACCOUNT_TYPES[accountType].network
