import { Alert, Button, Group, List, Radio, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { MoveScope } from '#contract'
import { queryKeys } from '../api/query-keys.ts'
import { usePreferences } from '../api/session.ts'
import { ErrorState, LoadingRows } from '../design/states.tsx'
import { count } from '../design/words.ts'
import { formatDateTime } from '../time/zones.ts'
import type { Asked, SeriesChange, SeriesPreview } from './asked.ts'
import { nameOf } from './subject.ts'

/** Asks how much of a series is changed, and tells beforehand what would not become as it should. */
export function SeriesForm({ asked, zone }: { asked: Extract<Asked, { kind: 'series' }>; zone: string }) {
  const { subject, change, answer } = asked
  const [scope, setScope] = useState<MoveScope>('this')
  const preview = useQuery({
    queryKey: [...queryKeys.postSets.one(subject.id), change.key, scope],
    queryFn: () => change.preview(scope),
    enabled: scope !== 'this',
    gcTime: 0,
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    answer({ scope, sets: scope === 'this' ? [subject] : (preview.data?.sets ?? []) })
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        <Radio.Group
          label={`“${nameOf(subject)}” is part of a series.`}
          value={scope}
          onChange={(value) => setScope(value as MoveScope)}
        >
          <Stack gap="xs" mt="xs">
            <Radio value="this" label="Only this one" data-autofocus />
            <Radio value="following" label="This and the following" />
            <Radio value="all" label="All of the series" />
          </Stack>
        </Radio.Group>
        {scope !== 'this' && preview.isPending && <LoadingRows rows={2} height={24} />}
        {scope !== 'this' && preview.error && (
          <ErrorState
            title="What would change could not be loaded"
            error={preview.error}
            onRetry={() => void preview.refetch()}
          />
        )}
        {scope !== 'this' && preview.data && <Preview preview={preview.data} would={change.would} zone={zone} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={() => answer(null)}>
            Cancel
          </Button>
          <Button
            type="submit"
            disabled={scope !== 'this' && preview.error !== null}
            loading={scope !== 'this' && preview.isPending}
            {...(change.dangerous ? { color: 'red' } : {})}
          >
            {change.verb}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

function Preview({
  preview: { sets, shifted, left },
  would,
  zone,
}: { preview: SeriesPreview; zone: string } & Pick<SeriesChange, 'would'>) {
  const preferences = usePreferences()
  return (
    <Stack gap="xs" role="status">
      <Text size="sm">
        {count(sets.length, 'post set')} {would}.
      </Text>
      {shifted.length > 0 && (
        <Alert color="yellow" title="Clocks go forward">
          <Text size="sm">These days do not have the time. They would be later:</Text>
          <List size="sm">
            {shifted.map((to) => (
              <List.Item key={to}>{formatDateTime(to, zone, preferences)}</List.Item>
            ))}
          </List>
        </Alert>
      )}
      {left.length > 0 && (
        <Alert color="gray" title={`${count(left.length, 'post set')} would stay`}>
          <List size="sm">
            {[...new Set(left.map(({ why }) => why))].map((why) => (
              <List.Item key={why}>{why}</List.Item>
            ))}
          </List>
        </Alert>
      )}
    </Stack>
  )
}
