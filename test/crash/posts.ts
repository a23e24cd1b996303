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

/** One post of each account type, by the way that has the most steps there; texts where that is all there is. */
export const SAMPLES: Record<AccountType, Sample> = {
  BLUESKY: { way: 'one call', post: () => ({ media: [] }) },
  TWITTER: {
    way: 'upload',
    post: (caption, media) => ({ media: photo(media), thread: [{ caption: furtherOf(caption), media: [] }] }),
  },
  THREADS: { way: 'container', post: (_, media) => ({ media: photo(media) }) },
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
  LINKEDIN_PAGE: { way: 'upload', post: (caption, media) => ({ richCaption: [caption], media: photo(media) }) },
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
  YOUTUBE: { way: 'upload', post: (_, media) => ({ title: 'Bread', privacy: 'PUBLIC', media: video(media) }) },
}

export const hasComment = (accountType: AccountType) => accountType === 'INSTAGRAM' || accountType === 'FACEBOOK'
export const commentOf = (caption: string) => `Comment on ${caption}`

export const hasThread = (accountType: AccountType) => accountType === 'TWITTER'
/** The second part of a post. */
export const furtherOf = (caption: string) => `Part 2 of ${caption}`

export const networkOf = (accountType: AccountType): string => ACCOUNT_TYPES[accountType].network
