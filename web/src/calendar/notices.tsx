import { Trans, useLingui } from '@lingui/react/macro'
import { Button, Text } from '@mantine/core'
import { IconPlugConnected } from '@tabler/icons-react'
import type { SocialSet } from '#contract'
import { useMay, usePreferences } from '../api/session.ts'
import { RouterButton } from '../frame/links.tsx'
import type { CalendarView } from '../planning/dates/calendar-views.ts'
import { monthName } from '../planning/dates/titles.ts'
import classes from './calendar.module.css'

interface NoticesProps {
  socialSet: SocialSet | null
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
  const { t } = useLingui()
  const { locale } = usePreferences()
  const month = monthName(date, locale)
  const [mayWrite, mayConnect] = [useMay('post-sets:write'), useMay('connections:manage')]
  const unconnected = socialSet?.accounts.length === 0
  return (
    <>
      {truncated && (
        <div className={classes.notice} role="status">
          <Trans>There is more than can be shown at once. Look at a week, or filter.</Trans>
        </div>
      )}
      {unconnected && (
        <div className={classes.notice}>
          <IconPlugConnected size={20} aria-hidden />
          <Text>
            {mayConnect
              ? t`Connect an account first: without one nothing can be published.`
              : t`No account is connected yet. An admin of the account can connect one.`}
          </Text>
          {mayConnect && (
            <RouterButton to="/connections">
              <Trans>Connect an account</Trans>
            </RouterButton>
          )}
        </div>
      )}
      {empty && (filtered || !unconnected) && (
        <div className={classes.notice}>
          <Text>
            {filtered
              ? t`Nothing matches the filters.`
              : view === 'week'
                ? t`Nothing planned in this week.`
                : t`Nothing planned in ${month}.`}
          </Text>
          {filtered ? (
            <Button variant="default" onClick={onClear}>
              <Trans>Clear filters</Trans>
            </Button>
          ) : (
            mayWrite && (
              <Button onClick={onNew}>
                <Trans>New post</Trans>
              </Button>
            )
          )}
        </div>
      )}
    </>
  )
}
