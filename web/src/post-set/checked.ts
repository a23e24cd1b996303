// The answer of a check is about what was written when it was asked for. Until the next one is there, what has been changed
// since would have it speak of other posts.
import type { PostInput, ProblemEntry } from '#contract'

type Entry = Pick<ProblemEntry, 'path' | 'limit' | 'actual'> & { code?: string }

/** A post as far as it matters here. */
export type Written = Pick<PostInput, 'accountType' | 'caption'>

/**
 * What a check of some posts says of the posts that are written now: each entry at the place where its post is now. Left out
 * is what was said of a post that is gone, or of a length that has been cut off since.
 */
export function sayOfNow<One extends Entry>(
  entries: readonly One[],
  checked: readonly Written[],
  now: readonly Written[],
): One[] {
  const places = placesNow(checked, now)
  return entries.flatMap((entry) => {
    const [whole, index, rest = ''] = /^posts\[(\d+)\](.*)$/s.exec(entry.path) ?? []
    if (whole === undefined) return [entry]
    const before = Number(index)
    const place = places[before]
    if (place === undefined) return []
    if (rest === '.caption' && isCut(entry, checked[before], now[place])) return []
    return [place === before ? entry : { ...entry, path: `posts[${place}]${rest}` }]
  })
}

/** Where each post is now: of two of one account type the first is the first. Undefined of one that is gone. */
function placesNow(checked: readonly Written[], now: readonly Written[]): (number | undefined)[] {
  const left = now.map(({ accountType }, place) => ({ accountType, place }))
  return checked.map(({ accountType }) => {
    const found = left.findIndex((each) => each.accountType === accountType)
    return found === -1 ? undefined : left.splice(found, 1)[0]?.place
  })
}

/** It said that a caption is too long, and as much of that is gone. */
function isCut({ code, limit, actual }: Entry, before: Written | undefined, after: Written | undefined): boolean {
  if (code !== 'post:caption_too_long' || limit === undefined || actual === undefined) return false
  return lengthOf(before) - lengthOf(after) >= actual - limit
}

const lengthOf = (post: Written | undefined) => post?.caption.length ?? 0
