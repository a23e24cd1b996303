import dayGridPlugin from '@fullcalendar/react/daygrid'
import { CalendarGrid, type CalendarGridProps } from './calendar-grid.tsx'

const PLUGINS = [dayGridPlugin]

/** A month, day by day. */
export function MonthGrid(props: Omit<CalendarGridProps, 'view' | 'plugins'>) {
  return <CalendarGrid {...props} view="month" plugins={PLUGINS} />
}
