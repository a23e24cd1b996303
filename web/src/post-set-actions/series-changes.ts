import { plural, t } from '@lingui/core/macro'
import type { PostSetSubject } from '../planning/posts/subject.ts'
import { versionOf } from './change.ts'
import type { SeriesChange } from './prompt.ts'
import { moveSeries, removeSeries } from './requests.ts'

/** Moving a set of a series to an instant, and the others by as much. */
export function movingTo(subject: PostSetSubject, instant: string): SeriesChange {
  return {
    key: `move ${instant}`,
    title: t`Which posts do you want to move?`,
    verb: t`Move`,
    would: (number) => plural(number, { one: '# post would move.', other: '# posts would move.' }),
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
    title: t`Which posts do you want to delete?`,
    verb: t`Delete`,
    dangerous: true,
    would: (number) => plural(number, { one: '# post would be deleted.', other: '# posts would be deleted.' }),
    async preview(scope) {
      const { removed, left } = await removeSeries(versionOf(subject), scope, true)
      return { sets: removed, shifted: [], left }
    },
  }
}
