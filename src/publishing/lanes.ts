import type { LaneRoom } from '#persistence'

/** The room of one worker: so many deliveries at once, of which each lane keeps some for itself and borrows the rest. */
export interface Slots {
  /** What each of these lanes may take now; what can be lent is divided among them. Lanes without room are left out. */
  rooms(among: readonly string[]): LaneRoom[]
  enter(lane: string): void
  leave(lane: string): void
}

/** Of eight heads, one is late while others are on time: so that late ones go on, and delay others by no more. */
const LATE_SHARE = 8

/**
 * A lane always has the room that it keeps, so that networks that hang leave it to the others; beyond that it borrows what
 * the other lanes do not have to keep.
 *
 * @param options.kept of `slots`, for each lane
 */
export function createSlots(
  lanes: readonly string[],
  { slots, kept, random = Math.random }: { slots: number; kept: number; random?: () => number },
): Slots {
  const used = new Map(lanes.map((lane) => [lane, 0]))
  const usedOf = (lane: string) => used.get(lane) ?? 0
  /** Room that the lanes have kept and not used. */
  const reserved = () => lanes.reduce((sum, lane) => sum + Math.max(0, kept - usedOf(lane)), 0)

  return {
    rooms(among) {
      const taken = lanes.reduce((sum, lane) => sum + usedOf(lane), 0)
      let toLend = Math.max(0, slots - taken - reserved())
      const part = Math.ceil(toLend / among.length)
      return among.flatMap((lane) => {
        const lent = Math.min(part, toLend)
        toLend -= lent
        const room = Math.max(0, kept - usedOf(lane)) + lent
        const late = Math.floor(room / LATE_SHARE) + (random() < (room % LATE_SHARE) / LATE_SHARE ? 1 : 0)
        return room > 0 ? [{ lane, room, late }] : []
      })
    },
    enter: (lane) => void used.set(lane, usedOf(lane) + 1),
    leave: (lane) => void used.set(lane, usedOf(lane) - 1),
  }
}
