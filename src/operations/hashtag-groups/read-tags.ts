import { codePointsOf, entryAt, LIMITS, type ProblemEntry } from '#contract'

const { tagCodePoints } = LIMITS.hashtagGroups
/** Spaces, characters that lists should not show, and signs that begin a hashtag. */
const OUTSIDE = /[\s\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069#＃]/u
const SIGN = /^[#＃]/u

/** Problems of the hashtags of a body, at `tags`. */
export function checkTags(tags: readonly string[]): ProblemEntry[] {
  return tags.flatMap((text, at) => {
    const words = tagProblem(text)
    return words === null ? [] : [entryAt(['tags', at], 'request:invalid_body', `tags[${at}] ${words}.`)]
  })
}

function tagProblem(text: string): string | null {
  const tag = bare(text)
  if (tag === '') return 'must not be empty'
  if (tag.length > 2 * tagCodePoints || codePointsOf(tag) > tagCodePoints) {
    return `must have at most ${tagCodePoints} characters`
  }
  return OUTSIDE.test(tag) ? 'must be one hashtag, without spaces and with # at its beginning alone' : null
}

/** Checked hashtags as they are stored: with `#`, each once, ignoring case. */
export function readTags(tags: readonly string[]): string[] {
  const byFolded = new Map<string, string>()
  for (const tag of tags.map(bare)) {
    const folded = tag.normalize('NFC').toLowerCase()
    if (!byFolded.has(folded)) byFolded.set(folded, `#${tag}`)
  }
  return [...byFolded.values()]
}

const bare = (text: string) => text.trim().replace(SIGN, '')
