import { codePoints, utf8Bytes } from '../kit/text.ts'

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' })
/** A cluster with a picture, half a flag or the frame of a keycap in it. */
const EMOJI = /\p{Extended_Pictographic}|\p{Regional_Indicator}|\u{20e3}/u

/**
 * The length of a text as the network counts: each emoji as its bytes in UTF-8, everything else as code points.
 * https://developers.facebook.com/docs/threads/posts (read 2026-11-21)
 */
export function textLength(text: string): number {
  if (!EMOJI.test(text)) return codePoints(text)
  let length = 0
  for (const { segment } of segmenter.segment(text)) {
    length += EMOJI.test(segment) ? utf8Bytes(segment) : codePoints(segment)
  }
  return length
}
