import { linkPlaces } from '#contract/link-places'

/** A caption in parts, in order: those with an even place are plain, the others a hashtag, a mention or an address. */
export function captionParts(text: string): string[] {
  const parts: string[] = []
  let read = 0
  for (const { start, end } of linkPlaces(text)) {
    parts.push(...markedIn(text.slice(read, start)), text.slice(start, end))
    read = end
  }
  return [...parts, ...markedIn(text.slice(read))]
}

/** Begins and ends with a plain part. */
const markedIn = (text: string) => text.split(/(#[\p{L}\p{N}_]+|@[\w.]+)/u)
