import { Trans, useLingui } from '@lingui/react/macro'
import { List, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Repeat, SeriesPlan, SocialSet } from '#contract'
import { call } from '../api/client.ts'
import { usePreferences } from '../api/session.ts'
import { messageOf } from '../design/error-text.ts'
import { formatDateTime } from '../time/zones.ts'
import { usePaused } from './use-paused.ts'

const SHOWN = 5

interface SeriesDatesProps {
  socialSet: SocialSet
  /** Of the first; ISO 8601 in UTC. */
  at: string
  repeat: Repeat
}

/** When the posts of a series go out, shown before it is saved: the first, the last, and what summer time moves. */
export function SeriesDates({ socialSet: { id, timezone }, at, repeat }: SeriesDatesProps) {
  const { t } = useLingui()
  const preferences = usePreferences()
  const plan = usePaused(JSON.stringify({ socialSetId: id, scheduledAt: at, repeat }))
  const { data, error, isPlaceholderData } = useQuery({
    queryKey: ['series-dates', plan],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: ({ signal }) => call('POST /post-sets/series-dates', { body: JSON.parse(plan) as SeriesPlan, signal }),
    placeholderData: (before) => before,
  })
  if (error) {
    return (
      <Text size="sm" c="dimmed" role="status">
        <Trans>The dates could not be loaded.</Trans> {messageOf(error)}
      </Text>
    )
  }
  if (!data) return null
  const { dates } = data
  const last = dates.at(-1)
  const rest = dates.length - SHOWN
  const end = last ? formatDateTime(last.at, timezone, preferences) : ''
  const shown = rest > 1 ? dates.slice(0, SHOWN) : dates
  return (
    <div role="status" aria-busy={isPlaceholderData} style={isPlaceholderData ? { opacity: 0.5 } : undefined}>
      <List size="sm" c="dimmed" aria-label={t`Dates of the series`}>
        {shown.map(({ at, shiftedByDst }) => (
          <List.Item key={at}>
            {formatDateTime(at, timezone, preferences)}
            {shiftedByDst && t` – later, because the clocks skip the time on this day`}
          </List.Item>
        ))}
        {last && rest > 1 && (
          <List.Item>
            <Trans>
              and {rest} more, the last on {end}
            </Trans>
          </List.Item>
        )}
      </List>
      {dates.slice(shown.length).some(({ shiftedByDst }) => shiftedByDst) && (
        <Text size="sm" c="dimmed">
          <Trans>Some of those fall into an hour that the clocks skip, and are later by it.</Trans>
        </Text>
      )}
    </div>
  )
}
