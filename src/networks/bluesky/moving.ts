import type { CheckedMedia } from '../network.ts'

/**
 * Types of files that the video service makes an MP4 of, as the Bluesky app lists them. QuickTime is one of them too, but
 * goes out as an MP4 without its place.
 * Source: https://github.com/bluesky-social/social-app/blob/main/src/lib/constants.ts (read 2026-11-23).
 */
export const VIDEO_TYPES: readonly string[] = ['video/mp4', 'video/webm', 'video/mpeg']

/** Whether an item goes out as a video: a video, or an animated GIF that is the only item of its post. */
export function isMoving({ facts }: Pick<CheckedMedia, 'facts'>, items: number): boolean {
  return facts.type === 'VIDEO' || (facts.mimeType === 'image/gif' && facts.animated && items === 1)
}
