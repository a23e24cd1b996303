import '../design/more-styles.ts'
import { Button, Group, Stack, Text, Textarea } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { labelsQuery } from '../calendar/calendar-query.ts'
import { ErrorState, LoadingRows } from '../design/states.tsx'
import { ActionDialog } from './action-dialog.tsx'
import type { Asked } from './asked.ts'
import { LabelsForm } from './labels-form.tsx'
import { MoveForm } from './move-form.tsx'
import { SeriesForm } from './series-form.tsx'
import { nameOf } from './subject.ts'

/** The dialog that an action asks with. */
export function AskedDialog({ asked, zone }: { asked: Asked; zone: string }) {
  const cancel = () => asked.answer(null)
  switch (asked.kind) {
    case 'clock':
      return (
        <ActionDialog title={asked.gap ? 'This time does not exist' : 'This time comes twice'} onClose={cancel}>
          <ClockForm asked={asked} />
        </ActionDialog>
      )
    case 'series':
      return (
        <ActionDialog title={asked.change.title} onClose={cancel}>
          <SeriesForm asked={asked} zone={zone} />
        </ActionDialog>
      )
    case 'move':
      return (
        <ActionDialog title={`Move “${nameOf(asked.subject)}”`} onClose={cancel}>
          <MoveForm asked={asked} zone={zone} />
        </ActionDialog>
      )
    case 'labels':
      return (
        <ActionDialog title="Labels" onClose={cancel}>
          <Labels asked={asked} />
        </ActionDialog>
      )
    case 'request-changes':
      return (
        <ActionDialog title="Request changes" onClose={cancel}>
          <RequestChangesForm asked={asked} />
        </ActionDialog>
      )
  }
}

function ClockForm({ asked }: { asked: Extract<Asked, { kind: 'clock' }> }) {
  return (
    <Stack>
      <Text>
        {asked.gap
          ? 'Clocks go forward on this day and skip the time. Choose another one.'
          : 'Clocks go back on this day and show the time twice. Choose which one is meant.'}
      </Text>
      <Group>
        {asked.choices.map(({ instant, label }, index) => (
          <Button
            key={instant}
            variant="default"
            onClick={() => asked.answer(instant)}
            data-autofocus={index === 0 || undefined}
          >
            {label}
          </Button>
        ))}
        <Button variant="subtle" onClick={() => asked.answer(null)}>
          Cancel
        </Button>
      </Group>
    </Stack>
  )
}

function Labels({ asked }: { asked: Extract<Asked, { kind: 'labels' }> }) {
  const { data, error, refetch } = useQuery(labelsQuery)
  if (data) return <LabelsForm asked={asked} labels={data} />
  if (!error) return <LoadingRows rows={3} height={24} label="Loading the labels…" />
  return <ErrorState title="The labels could not be loaded" error={error} onRetry={() => void refetch()} />
}

function RequestChangesForm({ asked }: { asked: Extract<Asked, { kind: 'request-changes' }> }) {
  const [message, setMessage] = useState('')
  const [error, setError] = useState<string | null>(null)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (message.trim() === '') return setError('Say what has to change.')
    asked.answer(message.trim())
  }
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <Textarea
          label={`What has to change in “${nameOf(asked.subject)}”?`}
          required
          withAsterisk={false}
          autosize
          minRows={3}
          maxLength={5_000}
          value={message}
          onChange={(event) => {
            setMessage(event.currentTarget.value)
            setError(null)
          }}
          error={error}
          data-autofocus
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={() => asked.answer(null)}>
            Cancel
          </Button>
          <Button type="submit">Request changes</Button>
        </Group>
      </Stack>
    </form>
  )
}
