import timeGridPlugin from '@fullcalendar/react/timegrid'
import { memo } from 'react'
import { CalendarGrid, type CalendarGridProps } from './calendar-grid.tsx'

const PLUGINS = [timeGridPlugin]

/** A week with a scale of hours. Loaded when it is first looked at: its part of the library is large. */
export const WeekGrid = memo((props: Omit<CalendarGridProps, 'view' | 'plugins'>) => (
  <CalendarGrid {...props} view="week" plugins={PLUGINS} />
))
