import { Alert, Button, Text } from '@mantine/core'
import { IconPlugConnected } from '@tabler/icons-react'
import type { SocialSet } from '#contract'
import { useMay, usePreferences } from '../api/session.ts'
import type { CalendarView } from '../shell/calendar-views.ts'
import { RouterButton } from '../shell/links.tsx'
import classes from './calendar.module.css'
import { monthName } from './titles.ts'

interface NoticesProps {
  socialSet: SocialSet
  view: CalendarView
  date: Temporal.PlainDate
  filtered: boolean
  empty: boolean
  truncated: boolean
  onClear: () => void
  onNew: () => void
}

/** What the calendar has to say about what it shows: that it is nothing, and what to do about it. */
export function Notices({ socialSet, view, date, filtered, empty, truncated, onClear, onNew }: NoticesProps) {
  const { locale } = usePreferences()
  const [mayWrite, mayConnect] = [useMay('post-sets:write'), useMay('connections:manage')]
  const unconnected = socialSet.accounts.length === 0
  return (
    <>
      {truncated && (
        <Alert role="status" color="yellow">
          There is more than can be shown at once. Look at a week, or filter.
        </Alert>
      )}
      {unconnected && (
        <div className={classes.notice}>
          <IconPlugConnected size={20} aria-hidden />
          <Text>
            {mayConnect
              ? 'Connect an account first: without one nothing can be published.'
              : 'No account is connected yet. An admin of the account can connect one.'}
          </Text>
          {mayConnect && <RouterButton to="/connections">Connect an account</RouterButton>}
        </div>
      )}
      {empty && (filtered || !unconnected) && (
        <div className={classes.notice}>
          <Text>
            {filtered
              ? 'Nothing matches the filters.'
              : `Nothing planned in ${view === 'week' ? 'this week' : monthName(date, locale)}.`}
          </Text>
          {filtered ? (
            <Button variant="default" onClick={onClear}>
              Clear filters
            </Button>
          ) : (
            mayWrite && <Button onClick={onNew}>New post set</Button>
          )}
        </div>
      )}
    </>
  )
}
