import type { LaneRoom } from '#persistence'

/** The room of one worker: so many deliveries at once, of which each lane keeps some for itself and borrows the rest. */
interface Slots {
  /** What each of these lanes may take now; what can be lent is divided among them. Lanes without room are left out. */
  rooms(among: readonly string[]): LaneRoom[]
  enter(lane: string, accountId: string | null): void
  leave(lane: string, accountId: string | null): void
}

/** Of eight heads, one is late while others are on time: so that late ones go on, and delay others by no more. */
const LATE_SHARE = 8

/**
 * A lane always has the room that it keeps, so that networks that hang leave it to the others; beyond that it borrows what
 * the other lanes do not have to keep.
 *
 * An account that has its share of a lane takes turns behind the others, and leaves them the last slots of the lane, half as many
 * as it keeps. So that no account takes more at once, a lane has room for one share at a time.
 *
 * @param options.kept of `slots`, for each lane
 * @param options.share of the slots that a lane has or could have now, in percent
 */
export function createSlots(
  lanes: readonly string[],
  { slots, kept, share, random = Math.random }: { slots: number; kept: number; share: number; random?: () => number },
): Slots {
  const leftToOthers = Math.floor(kept / 2)
  const usedByAccount = new Map(lanes.map((lane) => [lane, new Map<string, number>()]))
  const used = new Map(lanes.map((lane) => [lane, 0]))
  const usedOf = (lane: string) => used.get(lane) ?? 0
  /** Room that the lanes have kept and not used. */
  const reserved = () => lanes.reduce((sum, lane) => sum + Math.max(0, kept - usedOf(lane)), 0)

  function count(lane: string, accountId: string | null, more: 1 | -1): void {
    used.set(lane, usedOf(lane) + more)
    if (accountId === null) return
    const accounts = usedByAccount.get(lane)
    const now = (accounts?.get(accountId) ?? 0) + more
    if (now > 0) accounts?.set(accountId, now)
    else accounts?.delete(accountId)
  }

  /** @param could how much room the lane could have, were it looked at alone */
  function roomOf(lane: string, free: number, could: number): LaneRoom {
    const ofAccount = Math.ceil(((usedOf(lane) + could) * share) / 100)
    const overShare = [...(usedByAccount.get(lane) ?? [])].flatMap(([id, has]) => (has >= ofAccount ? [id] : []))
    const room = Math.min(free, ofAccount)
    const late = Math.floor(room / LATE_SHARE) + (random() < (room % LATE_SHARE) / LATE_SHARE ? 1 : 0)
    const roomOverShare = overShare.length === 0 ? room : Math.max(0, Math.min(room, could - leftToOthers))
    return { lane, room, late, overShare, roomOverShare }
  }

  return {
    rooms(among) {
      const taken = lanes.reduce((sum, lane) => sum + usedOf(lane), 0)
      const lendable = Math.max(0, slots - taken - reserved())
      let toLend = lendable
      const part = Math.ceil(toLend / among.length)
      return among.flatMap((lane) => {
        const lent = Math.min(part, toLend)
        toLend -= lent
        const own = Math.max(0, kept - usedOf(lane))
        return own + lent > 0 ? [roomOf(lane, own + lent, own + lendable)] : []
      })
    },
    enter: (lane, accountId) => count(lane, accountId, 1),
    leave: (lane, accountId) => count(lane, accountId, -1),
  }
}
