import type { NetworkDescription } from '#contract'

type Takes = NetworkDescription['forms'][number]['media']

/** Whether a kind of post is nothing without a video: it takes no image, or fewer than there may be items, beside one. */
export const needsVideo = ({ images, max, mixed }: Takes): boolean => images === 0 || (mixed && images < max)
