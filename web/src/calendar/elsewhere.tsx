import { plural } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { Button, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import * as LIMITS from '#contract/limits'
import { call } from '../api/client.ts'
import { queryKeys } from '../api/query-keys.ts'
import { usePreferences, useSession } from '../api/session.ts'
import { isNetwork } from '../design/network-icon.tsx'
import { type DayRange, dayOf, startOfDay } from '../planning/dates/dates.ts'
import { monthAndYear, monthName } from '../planning/dates/titles.ts'
import type { AddressChange } from './address.ts'
import classes from './calendar.module.css'
import { type CalendarPlace, placeOf } from './calendar-place.ts'
import { monthsOf, nearest } from './elsewhere-months.ts'
import { type CalendarFilters, serverFilters } from './filters.ts'

interface ElsewhereProps {
  socialSet: CalendarPlace
  filters: CalendarFilters
  /** Days that are shown. */
  range: DayRange
  go: (change: AddressChange) => void
}

/** "16 more in December": what matches the filters outside of the days that are shown, with the way there. */
export function Elsewhere({ socialSet, filters, range, go }: ElsewhereProps) {
  const { t } = useLingui()
  const titleId = useId()
  const { locale } = usePreferences()
  const session = useSession()
  const { data } = useQuery({ ...elsewhereQuery({ socialSet, filters, range }), placeholderData: keepPreviousData })
  const months = nearest(monthsOf(data?.groups ?? [], filters, session), range.first.toString().slice(0, 7))
  if (months.length === 0) return null
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would be one of a form
    <div className={classes.chips} role="group" aria-labelledby={titleId}>
      <Text size="sm" id={titleId}>
        <Trans>Elsewhere</Trans>
      </Text>
      {months.map(({ month, count, first }) => {
        const date = Temporal.PlainDate.from(`${month}-01`)
        const name = date.year === range.first.year ? monthName(date, locale) : monthAndYear(date, locale)
        return (
          <Button
            key={month}
            size="compact-sm"
            variant="subtle"
            onClick={() => go({ date: dayOf(first, socialSet.timezone) })}
          >
            {plural(count, { one: `# more in ${name}`, other: `# more in ${name}` })}
          </Button>
        )
      })}
      {data?.truncated && (
        <Text size="sm" c="dimmed">
          {t`There are more than are counted.`}
        </Text>
      )}
    </div>
  )
}

function elsewhereQuery({ socialSet, filters, range }: Omit<ElsewhereProps, 'go'>) {
  const { authorIds, search } = serverFilters(filters)
  const { labelIds, text } = filters
  const networks = filters.networks.filter(isNetwork)
  const from = startOfDay(range.first, socialSet.timezone)
  const to = startOfDay(range.end, socialSet.timezone)
  const key = { elsewhere: socialSet.id, from, to, authorIds, search, labelIds, networks }
  return {
    queryKey: queryKeys.calendar.one(JSON.stringify(key)),
    queryFn: ({ signal }: { signal: AbortSignal }) =>
      call('GET /calendar/elsewhere', {
        query: {
          ...{ ...placeOf(socialSet), from, to, 'filters[authors][]': authorIds, 'filters[search]': search },
          'filters[labelsId][]': labelIds,
          'filters[accountTypes][]': networks,
        },
        signal,
      }),
    // Fewer characters are looked for among what is shown alone.
    enabled: text === '' || [...text].length >= LIMITS.searchCodePoints,
  }
}
