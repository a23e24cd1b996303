import type { SeriesChange } from './asked.ts'
import { versionOf } from './change.ts'
import { moveSeries, removeSeries } from './requests.ts'
import type { PostSetSubject } from './subject.ts'

/** Moving a set of a series to an instant, and the others by as much. */
export function movingTo(subject: PostSetSubject, instant: string): SeriesChange {
  return {
    key: `move ${instant}`,
    title: 'Move which ones?',
    verb: 'Move',
    would: 'would move',
    async preview(scope) {
      const { moved, left } = await moveSeries(versionOf(subject), instant, scope, true)
      const shifted = moved.filter(({ shiftedByDst }) => shiftedByDst).map(({ to }) => to)
      return { sets: moved, shifted, left }
    },
  }
}

/** Deleting a set of a series, and others of it. */
export function removing(subject: PostSetSubject): SeriesChange {
  return {
    key: 'delete',
    title: 'Delete which ones?',
    verb: 'Delete',
    dangerous: true,
    would: 'would be deleted',
    async preview(scope) {
      const { removed, left } = await removeSeries(versionOf(subject), scope, true)
      return { sets: removed, shifted: [], left }
    },
  }
}
