import { Alert, Loader, Radio, Stack, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { TimezoneChange, TimezoneMoves } from '#contract'
import { api } from '../api/client.ts'
import { queryKeys } from '../api/query-keys.ts'
import { usePreferences } from '../api/session.ts'
import { ErrorState } from '../design/states.tsx'
import { count, listOf } from '../design/words.ts'
import { formatTime } from '../time/zones.ts'

export type Keep = 'clock' | 'instants'

/** Asks what a change of the timezone keeps, and tells what each choice does. */
export function ZoneChangeFields({ socialSetId, from, to, value, onChange, error }: ZoneChangeFieldsProps) {
  const preferences = usePreferences()
  const preview = useQuery({
    queryKey: [...queryKeys.socialSets.one(socialSetId), 'timezone-change', to],
    queryFn: ({ signal }) =>
      api.get<TimezoneChange>(`/social-sets/${socialSetId}/timezone-change`, { query: { timezone: to }, signal }),
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
  return (
    <Stack gap="sm">
      <Text size="sm">
        It is now {shown(from)} in {zoneWords(from)} and {shown(to)} in {zoneWords(to)}. What should happen to what is
        planned?
      </Text>
      <Radio.Group
        label="When the timezone changes"
        value={value ?? ''}
        onChange={(next) => onChange(next === 'clock' ? 'clock' : 'instants')}
        error={error}
      >
        <Stack gap="sm" mt={6}>
          <Radio
            value="clock"
            label="Keep clock times"
            description={`What is planned for ${tenHere} stays at ${tenHere}, now by the clock of ${zoneWords(to)}. It goes out at another moment than before.`}
          />
          <Radio
            value="instants"
            label="Keep the moments"
            description={`Everything goes out at the same moment as before. What is planned for ${tenHere} is shown at ${tenThere}.`}
          />
        </Stack>
      </Radio.Group>
      {value === 'clock' && (
        <div role="status">
          {preview.error ? (
            <ErrorState
              title="What moves could not be counted"
              error={preview.error}
              onRetry={() => void preview.refetch()}
            />
          ) : preview.data ? (
            <MovesText moves={preview.data.moves} />
          ) : (
            <Loader size="sm" aria-label="Counting what moves" />
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

/** What is moved, in words. */
export function movedWords({ postSets, notes }: TimezoneMoves): string {
  const parts = [...(postSets > 0 ? [count(postSets, 'post set')] : []), ...(notes > 0 ? [count(notes, 'note')] : [])]
  return parts.length === 0 ? 'Nothing' : listOf(parts)
}

/** That some kept their moment, and so show another clock time; nothing where none did. */
export function stayingWords({ staying }: TimezoneMoves): string {
  if (staying === 0) return ''
  return `${count(staying, 'scheduled post set')} ${
    staying === 1 ? 'keeps its moment and shows' : 'keep their moments and show'
  } another clock time: due within a minute, or the time has already passed in the new timezone.`
}

function MovesText({ moves }: { moves: TimezoneMoves }) {
  const { inGap } = moves
  const stay = stayingWords(moves)
  const total = moves.postSets + moves.notes
  return (
    <Stack gap="xs">
      <Text size="sm">
        {total === 0 ? 'Nothing has to move.' : `${movedWords(moves)} ${total === 1 ? 'moves' : 'move'}.`}
      </Text>
      {inGap > 0 && (
        <Alert color="yellow" icon={<IconAlertTriangle aria-hidden />}>
          {inGap === 1
            ? 'One of them falls into an hour that the new timezone skips, and moves to after it.'
            : `${inGap} of them fall into an hour that the new timezone skips, and move to after it.`}
        </Alert>
      )}
      {stay !== '' && (
        <Alert color="yellow" icon={<IconAlertTriangle aria-hidden />}>
          {stay} Nothing goes out early because of this change.
        </Alert>
      )}
    </Stack>
  )
}

/** "New York" of America/New_York, for sentences. */
function zoneWords(zone: string): string {
  return zone.replaceAll('_', ' ')
}
