import { plural, t } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'
import { Alert, Loader, Radio, Stack, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { TimezoneMoves } from '#contract'
import { call } from '../api/client.ts'
import { queryKeys } from '../api/query-keys.ts'
import { usePreferences } from '../api/session.ts'
import { ErrorState } from '../design/states.tsx'
import { listOf } from '../design/words.ts'
import { formatTime } from '../time/zones.ts'

export type Keep = 'clock' | 'instants'

/** Asks what a change of the timezone keeps, and says what each choice does. */
export function ZoneChangeFields({ socialSetId, from, to, value, onChange, error }: ZoneChangeFieldsProps) {
  const preferences = usePreferences()
  const preview = useQuery({
    queryKey: [...queryKeys.socialSets.one(socialSetId), 'timezone-change', to],
    queryFn: ({ signal }) =>
      call('GET /social-sets/:id/timezone-change', { params: { id: socialSetId }, query: { timezone: to }, signal }),
    // Counts of a moment.
    gcTime: 0,
    staleTime: 0,
  })
  const now = Temporal.Now.instant().toString()
  const shown = (zone: string) => formatTime(now, zone, preferences)
  // Ten o'clock of today, as an example.
  const ten = Temporal.Now.plainDateISO(from).toZonedDateTime({ timeZone: from, plainTime: '10:00' })
  const tenThere = formatTime(ten.toInstant().toString(), to, preferences)
  const tenHere = formatTime(ten.toInstant().toString(), from, preferences)
  const [zoneFrom, zoneTo] = [zoneWords(from), zoneWords(to)]
  const [timeFrom, timeTo] = [shown(from), shown(to)]
  return (
    <Stack gap="sm">
      <Text size="sm">
        <Trans>
          It is now {timeFrom} in {zoneFrom} and {timeTo} in {zoneTo}. What should happen to planned posts?
        </Trans>
      </Text>
      <Radio.Group
        label={t`When the time zone changes`}
        value={value ?? ''}
        onChange={(next) => onChange(next === 'clock' ? 'clock' : 'instants')}
        error={error}
      >
        <Stack gap="sm" mt={6}>
          <Radio
            value="clock"
            label={t`Keep clock times`}
            description={t`A post planned for ${tenHere} stays at ${tenHere}, now in ${zoneTo}. It is published at a different moment than before.`}
          />
          <Radio
            value="instants"
            label={t`Keep the moments`}
            description={t`Everything is published at the same moment as before. A post planned for ${tenHere} is shown at ${tenThere}.`}
          />
        </Stack>
      </Radio.Group>
      {value === 'clock' && (
        <div role="status">
          {preview.error ? (
            <ErrorState
              title={t`The affected posts could not be counted`}
              error={preview.error}
              onRetry={() => void preview.refetch()}
            />
          ) : preview.data ? (
            <MovesText moves={preview.data.moves} />
          ) : (
            <Loader size="sm" aria-label={t`Counting the affected posts`} />
          )}
        </div>
      )}
    </Stack>
  )
}

interface ZoneChangeFieldsProps {
  socialSetId: string
  from: string
  to: string
  value: Keep | null
  onChange: (value: Keep) => void
  error: string | null
}

/** "3 posts and 1 note were moved.": what is moved, in words. */
export function movedWords(moves: TimezoneMoves): string {
  const what = listOfMoves(moves)
  return what === null ? t`Nothing was moved.` : t`Moved: ${what}.`
}

function listOfMoves({ postSets, notes }: TimezoneMoves): string | null {
  const parts = [
    ...(postSets > 0 ? [plural(postSets, { one: '# post', other: '# posts' })] : []),
    ...(notes > 0 ? [plural(notes, { one: '# note', other: '# notes' })] : []),
  ]
  return parts.length === 0 ? null : listOf(parts)
}

/** That some kept their moment, and so show another clock time; nothing where none did. */
export function stayingWords({ staying }: TimezoneMoves): string {
  if (staying === 0) return ''
  return plural(staying, {
    one: '# scheduled post keeps its moment and shows another clock time: it is due within a minute, or the time has already passed in the new time zone.',
    other:
      '# scheduled posts keep their moments and show other clock times: they are due within a minute, or the time has already passed in the new time zone.',
  })
}

function MovesText({ moves }: { moves: TimezoneMoves }) {
  const { inGap } = moves
  const stay = stayingWords(moves)
  const what = listOfMoves(moves)
  return (
    <Stack gap="xs">
      <Text size="sm">{what === null ? t`Nothing has to move.` : t`This moves ${what}.`}</Text>
      {inGap > 0 && (
        <Alert color="yellow" icon={<IconAlertTriangle aria-hidden />}>
          <Plural
            value={inGap}
            one="# of them falls into an hour that the new time zone skips, and moves to after it."
            other="# of them fall into an hour that the new time zone skips, and move to after it."
          />
        </Alert>
      )}
      {stay !== '' && (
        <Alert color="yellow" icon={<IconAlertTriangle aria-hidden />}>
          {stay} <Trans>No post is published early because of this change.</Trans>
        </Alert>
      )}
    </Stack>
  )
}

/** "New York" of America/New_York, for sentences. */
function zoneWords(zone: string): string {
  return zone.replaceAll('_', ' ')
}
