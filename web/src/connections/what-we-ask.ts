import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { AccountType } from '#contract'

interface Consent {
  /** What must be so on the network before it works; null: nothing. */
  needs: MessageDescriptor | null
  /** What Almanac asks to be allowed, as ends of "Almanac asks to …". */
  asks: readonly MessageDescriptor[]
}

const PAGES = msg`see the list of your Pages, so that you can choose one`

/** What a person is asked to allow on each network, and why. The pages of the networks say more. */
export const whatWeAsk = {
  INSTAGRAM: {
    needs: msg`The account must be a professional one: a business or a creator account.`,
    asks: [msg`read the name of the account`, msg`publish posts, reels and stories to it`],
  },
  FACEBOOK: {
    needs: msg`You need a role on the Page that lets you create content.`,
    asks: [PAGES, msg`read what is on the Page, to find posts made by Almanac`, msg`publish posts as the Page`],
  },
  TWITTER: {
    needs: null,
    asks: [
      msg`read your profile and your posts, to find posts made by Almanac`,
      msg`write posts and upload media`,
      msg`stay signed in until you disconnect it`,
    ],
  },
  LINKEDIN_PAGE: {
    needs: msg`You need a role on the page that lets you post, such as administrator or content administrator.`,
    asks: [msg`see which pages you may post to`, msg`publish posts as the page, and read them again`],
  },
  LINKEDIN_PERSONAL: {
    needs: null,
    asks: [msg`read your name`, msg`publish posts as you`],
  },
  GMB: {
    needs: msg`You must be an owner or a manager of the location.`,
    asks: [
      msg`manage your business profiles: see the list of your accounts, so that you can choose one, publish posts to its location, and read them again`,
    ],
  },
  PINTEREST: {
    needs: null,
    asks: [
      msg`read your account and its boards, so that you can choose one`,
      msg`read your pins, to find posts made by Almanac`,
      msg`create pins and put them on boards`,
    ],
  },
  TIKTOK: {
    needs: null,
    asks: [
      msg`read your name and who may see your posts`,
      msg`see the list of your videos, to find posts made by Almanac`,
      msg`publish videos and photos`,
    ],
  },
  YOUTUBE: {
    needs: msg`The Google account needs a channel. If there are several, choose one while signing in.`,
    asks: [msg`read your channel, to find videos uploaded by Almanac`, msg`upload videos and set their covers`],
  },
  THREADS: {
    needs: null,
    asks: [msg`read your profile`, msg`publish posts`],
  },
  BLUESKY: {
    needs: msg`Create an app password in the Bluesky app: Settings, Privacy and security, App passwords. You can revoke it there at any time.`,
    asks: [msg`publish posts with that app password, which is stored encrypted`],
  },
} as const satisfies Record<AccountType, Consent>
