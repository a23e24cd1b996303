import { useLingui } from '@lingui/react/macro'
import type { SocialSet } from '#contract'
import * as LIMITS from '#contract/limits'
import { FreeSlots } from '../planning/dates/free-slots.tsx'
import { isCount, RepeatFields } from '../planning/dates/repeat-fields.tsx'
import { ScheduleFields } from '../planning/dates/schedule-fields.tsx'
import classes from './composer.module.css'
import type { Draft } from './draft-shape.ts'
import { SeriesDates } from './series-dates.tsx'

interface WhenRowProps {
  socialSet: SocialSet
  draft: Draft
  inSeries: boolean
  /** Day and time can be read. */
  timed: boolean
  onChange: (change: Pick<Draft, 'at'> | Pick<Draft, 'repeat'>) => void
  onIncomplete: (why: string | null) => void
}

/** When it goes out: day, time, the free times of the brand, and how it repeats. */
export function WhenRow({ socialSet, draft, inSeries, timed, onChange, onIncomplete }: WhenRowProps) {
  const { t } = useLingui()
  const counted = draft.repeat !== null && isCount(draft.repeat.occurrences, LIMITS.postSetOccurrences)
  return (
    <section aria-label={t`When`} className={classes.when}>
      <ScheduleFields
        at={draft.at}
        zone={socialSet.timezone}
        compact
        onChange={(at) => onChange({ at })}
        onIncomplete={onIncomplete}
      >
        <FreeSlots socialSet={socialSet} at={draft.at} onChoose={(at) => onChange({ at })} />
      </ScheduleFields>
      {!inSeries && (
        <RepeatFields
          repeat={draft.repeat}
          counts={LIMITS.postSetOccurrences}
          onChange={(repeat) => onChange({ repeat })}
        >
          {timed && draft.repeat && counted && (
            <SeriesDates socialSet={socialSet} at={draft.at} repeat={draft.repeat} />
          )}
        </RepeatFields>
      )}
    </section>
  )
}
