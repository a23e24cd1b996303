/** What a release does with late posts: publish them now, or turn them into drafts. */
export const LATE_CHOICES = ['PUBLISH', 'PARK'] as const
export type LateChoice = (typeof LATE_CHOICES)[number]
