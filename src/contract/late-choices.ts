/** What a release does with what is late: publish it now, or make drafts of it. */
export const LATE_CHOICES = ['PUBLISH', 'PARK'] as const
export type LateChoice = (typeof LATE_CHOICES)[number]
