import type { ReactNode } from 'react'
import type { CalendarCard, Note } from '#contract'
import type { BrandMarks } from '../planning/brands/brand-marks.tsx'
import type { PostSetSubject } from '../planning/posts/subject.ts'
import type { MoveTarget } from '../post-set-actions/plan-move.ts'
import type { Source } from '../uploads/files-of.ts'
import type { DropPlace } from './drag.ts'
import type { OpenedPanelsProps } from './opened-panels.tsx'

/** What is begun, and on which day of the viewer; without one, on the day that is looked at. */
export interface Begun {
  kind: 'post' | 'note'
  date: string | null
  minutes: number | null
  /** What was dropped there. */
  files?: readonly Source[]
  /** Those of which one is meant; all of them where it is absent. */
  brands?: readonly string[]
}

export interface BrandsPanelsProps extends Omit<OpenedPanelsProps, 'socialSet'> {
  cards: readonly CalendarCard[]
  notes: readonly Note[]
}

/** What a calendar over all brands does otherwise than that of one. Loaded when there is one. */
export interface Over extends BrandMarks {
  /** The day that a note is on. */
  dayOfNote: (note: Note) => string
  /** What is meant by dropping a post on a place. */
  target: (subject: PostSetSubject, place: DropPlace) => MoveTarget
  /** Where a post would be that is dropped on a day. */
  landing: (card: CalendarCard, place: DropPlace) => DropPlace
  /** Asks for the brand first. */
  begin: (begun: Begun) => void
  panels: (props: BrandsPanelsProps) => ReactNode
}
