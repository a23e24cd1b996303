/** Where a time goes when its clock time is kept in another timezone. */
interface KeptClock {
  at: Date
  /** The new zone skips that clock time: it moved forward by the gap. */
  inGap: boolean
}

/**
 * The same wall-clock time in another timezone (IANA names). A time that the new zone skips moves forward by the gap; of
 * one that it has twice it is the first, unless the moment shows that clock time as it is: zones with the same clock
 * move nothing.
 */
export function keepClock(time: Date, from: string, to: string): KeptClock {
  const instant = Temporal.Instant.fromEpochMilliseconds(time.getTime())
  const wall = instant.toZonedDateTimeISO(from).toPlainDateTime()
  if (instant.toZonedDateTimeISO(to).toPlainDateTime().equals(wall)) return { at: time, inGap: false }
  const moved = wall.toZonedDateTime(to, { disambiguation: 'compatible' })
  return { at: new Date(moved.epochMilliseconds), inGap: !moved.toPlainDateTime().equals(wall) }
}

interface Timed {
  id: string
  scheduledAt: Date
}

interface Moved {
  id: string
  from: Date
  to: Date
}

/** What a change of the timezone does to what is on a calendar. */
export interface TimezonePlan {
  postSets: Moved[]
  notes: Moved[]
  /** How many of both moved forward out of a gap. */
  inGap: number
  /** Scheduled sets that keep their moment although a clock shows another time then. */
  staying: number
}

/**
 * Plans a change of the timezone that keeps clock times. A scheduled set that is due before `soon`, or would be, keeps
 * its moment: nothing is sent early or at once because of a setting.
 */
export function planTimezoneChange(
  { postSets, notes }: { postSets: readonly (Timed & { status: string })[]; notes: readonly Timed[] },
  { from, to, soon }: { from: string; to: string; soon: Date },
): TimezonePlan {
  const plan: TimezonePlan = { postSets: [], notes: [], inGap: 0, staying: 0 }
  const move = (into: Moved[], { id, scheduledAt }: Timed, mayMove: (at: Date) => boolean) => {
    const { at, inGap } = keepClock(scheduledAt, from, to)
    if (at.getTime() === scheduledAt.getTime()) return
    if (!mayMove(at)) {
      plan.staying += 1
      return
    }
    into.push({ id, from: scheduledAt, to: at })
    if (inGap) plan.inGap += 1
  }
  for (const set of postSets) {
    move(plan.postSets, set, (at) => set.status === 'DRAFT' || (set.scheduledAt > soon && at > soon))
  }
  for (const note of notes) move(plan.notes, note, () => true)
  return plan
}
