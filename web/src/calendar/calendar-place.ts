import type { SocialSet } from '#contract'

/** What a calendar is of: a brand, or all that the member sees, which have no id together. `timezone`: whose days it has. */
export interface CalendarPlace extends Pick<SocialSet, 'timezone' | 'accounts'> {
  id: string | null
}

/** As the server wants it named. */
export const placeOf = ({ id, timezone }: CalendarPlace) =>
  id === null ? { socialSetId: null, timezone } : { socialSetId: id, timezone: null }
