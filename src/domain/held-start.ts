/** Why a start is held. COPY: a copy was noticed. ASKED: the operator has asked to start held. */
export type HeldStartWhy = 'COPY' | 'ASKED'

/** For members: why nothing goes out, as the reason of a hold. */
export const HELD_START_REASONS: Readonly<Record<HeldStartWhy, string>> = {
  COPY: 'This Almanac may be a copy of another one. The person who operates it has to confirm that it is the only one.',
  ASKED: 'Almanac was started like this. The person who operates it has to let it go on.',
}

/** Who holds a start, where a hold has the name of a member. */
export const HELD_START_BY = 'Almanac'

/** For the operator: what is the matter and what to do, for the log, health checks and errors. */
export function heldStartWords({ why, signs }: { why: HeldStartWhy; signs: readonly string[] }): string {
  const matter = why === 'COPY' ? 'This installation may be a copy of another one.' : 'This installation started held.'
  return [
    matter,
    ...signs,
    'Nothing is published, fetched, mailed or removed until you answer.',
    'If no other Almanac runs on this data or a copy of it, run "almanac resume" or go on in the dashboard; if one does, stop this one.',
  ].join(' ')
}

/** What ends posts that were on their way when the start was held, and may be live by the other installation. */
export const MAY_HAVE_GONE_OUT =
  'It may have gone out already, by the Almanac that this one is a copy of. Look at the account before you try again.'
