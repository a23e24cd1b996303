import timeGridPlugin from '@fullcalendar/react/timegrid'
import { CalendarGrid, type CalendarGridProps } from './calendar-grid.tsx'

const PLUGINS = [timeGridPlugin]

/** A week with a scale of hours. Loaded when it is first looked at: its part of the library is large. */
export function WeekGrid(props: Omit<CalendarGridProps, 'view' | 'plugins'>) {
  return <CalendarGrid {...props} view="week" plugins={PLUGINS} />
}
