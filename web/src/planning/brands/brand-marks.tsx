import type { CSSProperties, ReactNode } from 'react'
import type { CalendarCard, Note, SocialSet } from '#contract'
import { BrandName } from '../../frame/brand-face.tsx'
import { formatTime, type TimePreferences } from '../../time/zones.ts'
import { shortDay, weekdayName } from '../dates/titles.ts'
import { brandClock } from './brand-days.ts'
import classes from './brand-marks.module.css'
import { cityOf, thereWords } from './there-words.ts'

/** What a screen over all brands says of each post or note, besides what that of one brand does. */
export interface BrandMarks {
  /** Which brand it is of, for its name. */
  words: (of: Placed) => string
  /** The same in the line of a card. */
  mark: (of: Placed) => ReactNode
  /** The same where there is room for words. */
  line: (of: Placed | Note) => ReactNode
  /** The name alone. */
  name: (of: Pick<CalendarCard, 'socialSetId'>) => string
  /** By whose clock a note has a time or none. */
  zoneOf: (note: Note) => string
}

/** A post, as far as it is of a brand. */
type Placed = Pick<CalendarCard, 'socialSetId' | 'scheduledAt'>

interface Known {
  brands: ReadonlyMap<string, SocialSet>
  /** Of the viewer. */
  zone: string
  preferences: TimePreferences
}

/** Which brand things are of: by its colour and first letter on a card, by its name everywhere else; and what time it is there. */
export function makeMarks({ brands, zone, preferences }: Known): BrandMarks {
  const brandOf = ({ socialSetId }: Pick<CalendarCard, 'socialSetId'>) => brands.get(socialSetId)
  const nameOf: BrandMarks['name'] = (of) => brandOf(of)?.name ?? ''

  /** "Tue 10 Nov, 01:00": by the clock of the brand, with the day where that is another one. */
  const clockOf = (
    card: Pick<CalendarCard, 'socialSetId' | 'scheduledAt'>,
  ): { time: string; short: string; city: string } | null => {
    const brand = brandOf(card)?.timezone ?? zone
    const other = brandClock(card.scheduledAt, { brand, viewer: zone })
    if (!other) return null
    const time = formatTime(card.scheduledAt, brand, preferences)
    const city = cityOf(brand)
    if (other.date === null) return { time, short: time, city }
    const date = Temporal.PlainDate.from(other.date)
    const short = `${weekdayName(date, preferences.locale)} ${time}`
    return { time: `${shortDay(date, preferences.locale)}, ${time}`, short, city }
  }
  /** Of both times of a card. */
  const lettersOf = ({ scheduledAt }: Placed, short: string) =>
    ({ '--letters': formatTime(scheduledAt, zone, preferences).length + short.length }) as CSSProperties
  const words: BrandMarks['words'] = (card) => {
    const clock = clockOf(card)
    const name = nameOf(card)
    return clock === null ? name : `${name}, ${thereWords(clock)}`
  }
  return {
    words,
    name: nameOf,
    zoneOf: (note) => brandOf(note)?.timezone ?? zone,
    mark: (card) => {
      const brand = brandOf(card)
      const clock = clockOf(card)
      return (
        brand && (
          <span className={classes.mark} title={words(card)} style={{ '--brand': brand.color } as CSSProperties}>
            {/* Written by the style sheet: the name of the card says both in full, in another order. */}
            <span className={classes.face} data-words={[...brand.name.trim()][0]?.toUpperCase()} />
            {clock && <span className={classes.clock} data-words={clock.short} style={lettersOf(card, clock.short)} />}
          </span>
        )
      )
    },
    line: (of): ReactNode => {
      const brand = brandOf(of)
      const clock = isNote(of) ? null : clockOf(of)
      return (
        brand && (
          <span className={classes.line}>
            <BrandName brand={brand} small />
            {clock && <span className={classes.there}>{thereWords(clock)}</span>}
          </span>
        )
      )
    },
  }
}

const isNote = (of: Placed | Note): of is Note => 'content' in of
