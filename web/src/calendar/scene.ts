import { createContext, type ReactNode, use } from 'react'
import type { CalendarCard, Label, Note } from '#contract'
import type { TimePreferences } from '../time/zones.ts'

/** What every card needs to know to draw itself. */
interface Scene {
  /** IANA name: of the brand, or over all brands of the viewer. */
  zone: string
  preferences: TimePreferences
  labels: ReadonlyMap<string, Label>
  over: BrandMarks | null
}

/** What a calendar over all brands says of each card or note, besides what that of one brand does. */
export interface BrandMarks {
  /** Which brand it is of, for its name. */
  words: (card: CalendarCard) => string
  /** The same in the line of a card. */
  mark: (card: CalendarCard) => ReactNode
  /** The same where there is room for words. */
  line: (of: CalendarCard | Note) => ReactNode
  /** The name alone. */
  name: (of: Pick<CalendarCard, 'socialSetId'>) => string
  /** By whose clock a note has a time or none. */
  zoneOf: (note: Note) => string
}

export const SceneContext = createContext<Scene | null>(null)

/** The card that has to be in sight, also where its day is too full for all: the one that was moved last. */
export const InSightContext = createContext<string | null>(null)

export function useScene(): Scene {
  const scene = use(SceneContext)
  if (!scene) throw new Error('A calendar does not stand around this component.')
  return scene
}
