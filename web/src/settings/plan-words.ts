import type { MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import type { AccountUsage, PlanFeature, Used } from '#contract'
import { wordsLocale } from '../language/language.ts'
import { bytesText } from '../planning/files/bytes-text.ts'

/** Numbers of a plan that something may use up. */
export type Bounded = 'postSets' | 'uploadBytes' | 'storageBytes' | 'socialSets' | 'activeKeys'

/** What each number is, and what still works when it is used up. */
export const boundedWords = {
  postSets: {
    title: msg`Posts created this month`,
    monthly: true,
    full: msg`No more posts can be created this month. Scheduled posts publish on time, and all posts can be changed, moved and deleted.`,
  },
  uploadBytes: {
    title: msg`Media imported this month`,
    monthly: true,
    full: msg`Nothing more can be imported this month. Everything in the media library can still be used.`,
  },
  storageBytes: {
    title: msg`Media library`,
    monthly: false,
    full: msg`Nothing more can be imported. Everything in the media library can still be used, and posts publish on time.`,
  },
  socialSets: {
    title: msg`Brands`,
    monthly: false,
    full: msg`No more brands can be created. Existing brands work as before.`,
  },
  activeKeys: {
    title: msg`Active API keys`,
    monthly: false,
    full: msg`No more keys can be created. Existing keys work as before. Disable or revoke one to create another.`,
  },
} as const satisfies Record<Bounded, { title: MessageDescriptor; monthly: boolean; full: MessageDescriptor }>

export const BOUNDED = Object.keys(boundedWords) as Bounded[]

export const featureWords = {
  video: { title: msg`Video`, description: msg`Posts with video, such as reels and shorts.` },
  carousels: { title: msg`Carousels`, description: msg`Several images or videos in one post.` },
  repeats: { title: msg`Repeating posts`, description: msg`Series that repeat by day, week, month or year.` },
  approvals: { title: msg`Approvals`, description: msg`Posts that a reviewer approves.` },
  apiAccess: { title: msg`API`, description: msg`Programs that use the calendar with API keys.` },
} as const satisfies Record<PlanFeature, { title: MessageDescriptor; description: MessageDescriptor }>

export const FEATURES = Object.keys(featureWords) as PlanFeature[]

/** How full something is: from 80 % it is said, from 100 % it stops something. */
type Fullness = 'free' | 'nearly' | 'full'

const NEARLY = 0.8

export function fullnessOf({ used, limit }: Used): Fullness {
  if (limit === null) return 'free'
  if (used >= limit) return 'full'
  return used >= limit * NEARLY ? 'nearly' : 'free'
}

/** How much of the bar is filled, 0 to 100. */
export function percentOf({ used, limit }: Used): number {
  if (limit === null) return 0
  return limit === 0 ? 100 : Math.min(100, (used / limit) * 100)
}

/** "3 of 10", "1.5 GB of 20 GB", "12, no limit". */
export function amountText(name: Bounded, usage: AccountUsage): string {
  const { used, limit } = usage[name]
  const text = name === 'uploadBytes' || name === 'storageBytes' ? bytesText : numberText
  return limit === null ? t`${text(used)}, no limit` : t`${text(used)} of ${text(limit)}`
}

/** No plan says that it has no rate: operators write a number that no program reaches. */
const NO_RATE = 1_000_000

/** "At most 5 per second", "Not limited". */
export function rateText({ requestsPerSecond }: Pick<AccountUsage, 'requestsPerSecond'>): string {
  if (requestsPerSecond >= NO_RATE) return t`Not limited`
  const rate = numberText(requestsPerSecond)
  return t`At most ${rate} per second`
}

const numberText = (number: number) => new Intl.NumberFormat(wordsLocale()).format(number)
