/** A caption in parts, in order: those with an even place are plain, the others a hashtag, a mention or an address. */
export function captionParts(text: string): string[] {
  return text.split(/(#[\p{L}\p{N}_]+|@[\w.]+|https?:\/\/\S+)/u)
}
