import { List, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import type { SeriesDates as Answer, Repeat, SeriesPlan, SocialSet } from '#contract'
import { api } from '../api/client.ts'
import { usePreferences } from '../api/session.ts'
import { messageOf } from '../design/error-text.ts'
import { formatDateTime } from '../time/zones.ts'

const PAUSE_MS = 300
const SHOWN = 5

interface SeriesDatesProps {
  socialSet: SocialSet
  /** Of the first; ISO 8601 in UTC. */
  at: string
  repeat: Repeat
}

/** When the sets of a series will be, told before it is saved: the first ones, the last one, and what summer time moves. */
export function SeriesDates({ socialSet: { id, timezone }, at, repeat }: SeriesDatesProps) {
  const preferences = usePreferences()
  const [plan] = useDebouncedValue(JSON.stringify({ socialSetId: id, scheduledAt: at, repeat }), PAUSE_MS)
  const { data, error, isPlaceholderData } = useQuery({
    queryKey: ['series-dates', plan],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: ({ signal }) => api.post<Answer>('/post-sets/series-dates', JSON.parse(plan) as SeriesPlan, { signal }),
    placeholderData: (before) => before,
  })
  if (error) {
    return (
      <Text size="sm" c="dimmed" role="status">
        The dates could not be told: {messageOf(error)}
      </Text>
    )
  }
  if (!data) return null
  const { dates } = data
  const last = dates.at(-1)
  const rest = dates.length - SHOWN
  const shown = rest > 1 ? dates.slice(0, SHOWN) : dates
  return (
    <div role="status" aria-busy={isPlaceholderData} style={isPlaceholderData ? { opacity: 0.5 } : undefined}>
      <List size="sm" c="dimmed" aria-label="Dates of the series">
        {shown.map(({ at, shiftedByDst }) => (
          <List.Item key={at}>
            {formatDateTime(at, timezone, preferences)}
            {shiftedByDst && ' – later, because the clocks skip the time on this day'}
          </List.Item>
        ))}
        {last && rest > 1 && (
          <List.Item>
            and {rest} more, the last on {formatDateTime(last.at, timezone, preferences)}
          </List.Item>
        )}
      </List>
      {dates.slice(shown.length).some(({ shiftedByDst }) => shiftedByDst) && (
        <Text size="sm" c="dimmed">
          Some of those fall into an hour that the clocks skip, and are later by it.
        </Text>
      )}
    </div>
  )
}
