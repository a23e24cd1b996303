import { ACCOUNT_TYPES, type AccountType } from '#contract'

/** Ids of media in the library. */
export interface Media {
  photo: string
  video: string
}

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

/** Networks on which each item of a story is a visible call of its own. */
export const STORYTELLERS = ['INSTAGRAM', 'FACEBOOK'] as const satisfies readonly AccountType[]

/** So many stories in one post. Their caption stays in Almanac. */
export const storiesOf = (accountType: AccountType, caption: string, count: number, media: Media) => ({
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
