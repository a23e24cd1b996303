/** How the calendar may be looked at, as in its address. */
export const CALENDAR_VIEWS = ['month', 'week', 'list'] as const
export type CalendarView = (typeof CALENDAR_VIEWS)[number]

export function isCalendarView(view: string): view is CalendarView {
  return CALENDAR_VIEWS.some((known) => known === view)
}
