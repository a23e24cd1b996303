import type { AccountUsage, PlanFeature, Used } from '#contract'

/** Numbers of a plan that something may use up. */
export type Bounded = 'postSets' | 'uploadBytes' | 'storageBytes' | 'socialSets' | 'activeKeys'

/** What each number is, and what still works when it is used up. */
export const boundedWords = {
  postSets: {
    title: 'Post sets made this month',
    monthly: true,
    full: 'No more post sets can be made this month. What is scheduled publishes on time, and all post sets can be changed, moved and deleted.',
  },
  uploadBytes: {
    title: 'Media imported this month',
    monthly: true,
    full: 'Nothing more can be imported this month. What is in the media library can be used in posts.',
  },
  storageBytes: {
    title: 'Media library',
    monthly: false,
    full: 'Nothing more can be imported. What is in the media library can be used in posts, and everything publishes on time.',
  },
  socialSets: {
    title: 'Social sets',
    monthly: false,
    full: 'No more social sets can be made. Those that there are work as before.',
  },
  activeKeys: {
    title: 'Active API keys',
    monthly: false,
    full: 'No more keys can be made. Those that there are work as before; disable or revoke one to make room.',
  },
} as const satisfies Record<Bounded, { title: string; monthly: boolean; full: string }>

export const BOUNDED = Object.keys(boundedWords) as Bounded[]

export const featureWords = {
  video: { title: 'Video', description: 'Posts with video: reels, shorts and the like.' },
  carousels: { title: 'Carousels', description: 'Several images or videos in one post.' },
  repeats: { title: 'Repeating post sets', description: 'Series that repeat by day, week, month or year.' },
  approvals: { title: 'Approvals', description: 'Post sets that somebody approves.' },
  apiAccess: { title: 'API', description: 'Programs that work with the calendar by API keys.' },
} as const satisfies Record<PlanFeature, { title: string; description: string }>

export const FEATURES = Object.keys(featureWords) as PlanFeature[]

/** How full something is: from 80 % it is said, from 100 % it stops something. */
export type Fullness = 'free' | 'nearly' | 'full'

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
  return limit === null ? `${text(used)}, no limit` : `${text(used)} of ${text(limit)}`
}

const numberText = (number: number) => new Intl.NumberFormat('en').format(number)

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const

/** "1.5 GB"; a kilobyte has 1,000 bytes. */
export function bytesText(bytes: number): string {
  const step = Math.min(UNITS.length - 1, bytes < 1_000 ? 0 : Math.floor(Math.log10(bytes) / 3))
  return new Intl.NumberFormat('en', {
    style: 'unit',
    unit: UNITS[step] ?? 'byte',
    unitDisplay: step === 0 ? 'long' : 'short',
    maximumFractionDigits: 1,
  }).format(bytes / 1_000 ** step)
}
