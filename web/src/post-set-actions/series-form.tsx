import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Alert, Button, Group, List, Radio, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { MoveScope } from '#contract'
import { queryKeys } from '../api/query-keys.ts'
import { usePreferences } from '../api/session.ts'
import { Form, useForm } from '../design/form.tsx'
import { ErrorState, LoadingRows } from '../design/states.tsx'
import { wordsOfWhy } from '../language/server-words.ts'
import { nameOf } from '../planning/posts/subject.ts'
import { formatDateTime } from '../time/zones.ts'
import type { Prompt, SeriesChange, SeriesPreview } from './prompt.ts'

/** Asks how much of a series is changed, and shows beforehand what would not work out. */
export function SeriesForm({ asked, zone }: { asked: Extract<Prompt, { kind: 'series' }>; zone: string }) {
  const { subject, change, answer } = asked
  const initial: { scope: MoveScope } = { scope: 'this' }
  const form = useForm({
    initial,
    send({ scope }): void {
      answer({ scope, sets: scope === 'this' ? [subject] : (preview.data?.sets ?? []) })
    },
  })
  const { scope } = form.values
  const preview = useQuery({
    queryKey: [...queryKeys.postSets.one(subject.id), change.key, scope],
    queryFn: () => change.preview(scope),
    enabled: scope !== 'this',
    gcTime: 0,
  })
  return (
    <Form form={form}>
      <Radio.Group
        label={t`“${nameOf(subject)}” is part of a series.`}
        value={scope}
        onChange={(value) => form.set('scope', value as MoveScope)}
      >
        <Stack gap="xs" mt="xs">
          <Radio value="this" label={t`Only this one`} data-autofocus />
          <Radio value="following" label={t`This and the following`} />
          <Radio value="all" label={t`All of the series`} />
        </Stack>
      </Radio.Group>
      {scope !== 'this' && preview.isPending && <LoadingRows rows={2} height={24} />}
      {scope !== 'this' && preview.error && (
        <ErrorState
          title={t`The preview could not be loaded`}
          error={preview.error}
          onRetry={() => void preview.refetch()}
        />
      )}
      {scope !== 'this' && preview.data && <Preview preview={preview.data} would={change.would} zone={zone} />}
      <Group justify="flex-end">
        <Button variant="default" onClick={() => answer(null)}>
          <Trans>Cancel</Trans>
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
    </Form>
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
      <Text size="sm">{would(sets.length)}</Text>
      {shifted.length > 0 && (
        <Alert color="yellow" title={t`Clocks go forward`}>
          <Text size="sm">
            <Trans>On these days the clocks skip this time. The posts would publish later:</Trans>
          </Text>
          <List size="sm">
            {shifted.map((to) => (
              <List.Item key={to}>{formatDateTime(to, zone, preferences)}</List.Item>
            ))}
          </List>
        </Alert>
      )}
      {left.length > 0 && (
        <Alert color="gray" title={plural(left.length, { one: '# post would stay', other: '# posts would stay' })}>
          <List size="sm">
            {[...new Set(left.map(({ why }) => wordsOfWhy(why)))].map((why) => (
              <List.Item key={why}>{why}</List.Item>
            ))}
          </List>
        </Alert>
      )}
    </Stack>
  )
}
