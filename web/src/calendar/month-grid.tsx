import dayGridPlugin from '@fullcalendar/react/daygrid'
import { memo } from 'react'
import { CalendarGrid, type CalendarGridProps } from './calendar-grid.tsx'

const PLUGINS = [dayGridPlugin]

/** A month, day by day. */
export const MonthGrid = memo((props: Omit<CalendarGridProps, 'view' | 'plugins'>) => (
  <CalendarGrid {...props} view="month" plugins={PLUGINS} />
))
