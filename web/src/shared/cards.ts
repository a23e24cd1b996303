import type { GuestCard } from '#contract'

/** The cards that may be approved without another look, of those that wait. */
export const approvable = (cards: readonly GuestCard[]) => cards.filter(({ waiting, changed }) => waiting && !changed)
