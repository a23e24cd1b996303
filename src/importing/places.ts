/** How many imports a worker has under way at once. */
export interface PlaceLimits {
  /** Imports that have just begun, and those of them that are of one account. */
  front: number
  frontOfAccount: number
  /** All imports, and those of one account. */
  all: number
  allOfAccount: number
}

/** The place of one import. */
interface Place {
  accountId: string
  front: boolean
  /** Aborts when the place goes to another account, or the disk is full. */
  givenAway: AbortController
}

/** The places of one worker, by account. README.md says what they are for. */
interface Places {
  /** `back`: no more imports at all. `front`: one begins as soon as another has given its place at the front up. */
  full(): 'front' | 'back' | null
  /** Accounts that have their share. */
  withShare(): string[]
  take(accountId: string): Place
  /** Goes on behind the front. */
  fallBack(place: Place): void
  leave(place: Place): void
  /**
   * Which place is given away when one is needed for an account that is not in `except`: the youngest of the account
   * with the most. Null: no account has two more than another one could have.
   */
  toGiveAway(): { place: Place; except: string[] } | null
  /** The places that are given up when the disk is full: all but the oldest, and that one when it is the only one. */
  toGiveUp(): Place[]
}

export function createPlaces(limits: PlaceLimits): Places {
  // In the order in which they were taken.
  const places = new Set<Place>()
  const countOf = (accountId: string | null, { frontOnly }: { frontOnly: boolean }) =>
    [...places].filter((place) => (accountId === null || place.accountId === accountId) && (place.front || !frontOnly))
      .length
  const accounts = () => [...new Set([...places].map(({ accountId }) => accountId))]

  return {
    full() {
      if (countOf(null, { frontOnly: false }) >= limits.all) return 'back'
      return countOf(null, { frontOnly: true }) >= limits.front ? 'front' : null
    },
    withShare: () =>
      accounts().filter(
        (accountId) =>
          countOf(accountId, { frontOnly: true }) >= limits.frontOfAccount ||
          countOf(accountId, { frontOnly: false }) >= limits.allOfAccount,
      ),
    take(accountId) {
      const place: Place = { accountId, front: true, givenAway: new AbortController() }
      places.add(place)
      return place
    },
    fallBack(place) {
      place.front = false
    },
    leave: (place) => void places.delete(place),
    toGiveAway() {
      const counts = new Map(accounts().map((accountId) => [accountId, countOf(accountId, { frontOnly: false })]))
      const most = Math.max(...counts.values())
      const place = [...places].findLast(({ accountId }) => counts.get(accountId) === most)
      if (!place || most < 2) return null
      return { place, except: accounts().filter((accountId) => (counts.get(accountId) ?? 0) > most - 2) }
    },
    toGiveUp: () => (places.size > 1 ? [...places].slice(1) : [...places]),
  }
}
