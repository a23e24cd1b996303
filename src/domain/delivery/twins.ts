/**
 * Another delivery to the same account whose words are the same: an entry of a listing may be of either. What its own id is known
 * of, nobody takes; the rest is decided here.
 */
export interface Twin {
  /**
   * `calling`: its call is under way, or what came of it is not stored yet. `unsure`: it is looked up too. `vague`: it is over, and
   * nobody will learn which entry is its, or whether there is one. `settled`: its id is known.
   */
  state: 'calling' | 'unsure' | 'vague' | 'settled'
  /** Its fence was committed before ours. */
  isFirst: boolean
  /** Its call had been over for a listing delay when the listing was asked for: what it made is in there. */
  isListed: boolean
}

/** What a listing says. `several`: one of them may be ours. `wait`: others have to be settled first, which is no word of the network. */
export type Choice<Entry> = { kind: 'entry'; entry: Entry } | { kind: 'none' | 'several' | 'wait' }

/**
 * Which entry of a listing is a delivery's.
 *
 * @param free entries of its words that are no one's, the oldest first
 * @param twins as they were after the listing was read: what is in it has been called before
 * @param isLive the network has said that the post is there, so one of them is its
 */
export function chooseEntry<Entry>(
  free: readonly Entry[],
  twins: readonly Twin[],
  { isLive = false }: { isLive?: boolean } = {},
): Choice<Entry> {
  const all = twins.every(({ isListed }) => isListed)
  const [oldest] = free
  // What another one has taken may be ours, while its own is not listed yet.
  if (oldest === undefined) return { kind: all ? 'none' : 'wait' }
  if (twins.some(({ state }) => state === 'calling')) return { kind: 'wait' }
  if (twins.some(({ state }) => state === 'vague')) return { kind: 'several' }
  const unsure = twins.filter(({ state }) => state === 'unsure')
  if (unsure.length > 0) {
    // Words are all that tells them apart from others: whichever takes an entry, the rest is left for the next.
    if (!all || (!isLive && unsure.some(({ isFirst }) => isFirst))) return { kind: 'wait' }
  }
  return free.length <= unsure.length + 1 ? { kind: 'entry', entry: oldest } : { kind: 'several' }
}
