import type { AccountType } from '#contract'

interface Asked {
  /** What must be so on the network before it works; null: nothing. */
  needs: string | null
  /** What Almanac asks to be allowed, as ends of "Almanac asks to …". */
  asks: readonly string[]
}

const GOOGLE_LISTS = 'see the list of your accounts, so that you can choose one'
const PAGES = 'see the list of your Pages, so that you can choose one'

/** What a person is asked to allow on each network, and why. The pages of the networks tell more. */
export const whatWeAsk = {
  INSTAGRAM: {
    needs:
      'The account must be a professional one (business or creator) that is linked to a Facebook Page; you sign in with Facebook.',
    asks: [PAGES, 'read the name of the account', 'publish posts, reels and stories to it'],
  },
  FACEBOOK: {
    needs: 'You need a role on the Page that lets you create content.',
    asks: [PAGES, 'read what is on the Page, to find its own posts again', 'publish posts as the Page'],
  },
  TWITTER: {
    needs: null,
    asks: [
      'read your profile and your posts, to find its own again',
      'write posts and upload media',
      'stay signed in until you disconnect it',
    ],
  },
  LINKEDIN_PAGE: {
    needs: 'You need a role on the page that lets you post, such as administrator or content administrator.',
    asks: ['see which pages you may post to', 'publish posts as the page, and read them again'],
  },
  LINKEDIN_PERSONAL: {
    needs: null,
    asks: ['read your name', 'publish posts as you'],
  },
  GMB: {
    needs: 'You must be an owner or a manager of the location.',
    asks: [`manage your business profiles: ${GOOGLE_LISTS}, publish posts to its location, and read them again`],
  },
  PINTEREST: {
    needs: null,
    asks: [
      'read your account and its boards, so that you can choose one',
      'read your pins, to find its own again',
      'create pins and put them on boards',
    ],
  },
  TIKTOK: {
    needs: null,
    asks: [
      'read your name and who may see your posts',
      'see the list of your videos, to find its own again',
      'publish videos and photos',
    ],
  },
  YOUTUBE: {
    needs: 'The Google account needs a channel. Choose the channel in the sign-in when there are several.',
    asks: ['read your channel, to find its own videos again', 'upload videos and set their covers'],
  },
  THREADS: {
    needs: null,
    asks: ['read your profile', 'publish posts'],
  },
  BLUESKY: {
    needs:
      'Make an app password in the Bluesky app: Settings, Privacy and security, App passwords. It can be withdrawn there at any time.',
    asks: ['publish posts with that app password, which is kept encrypted'],
  },
} as const satisfies Record<AccountType, Asked>
