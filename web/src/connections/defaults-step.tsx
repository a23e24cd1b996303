import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Connection, ConnectionDefaults } from '#contract'
import { readAgain } from '../api/change.ts'
import { call } from '../api/client.ts'
import { queryClient } from '../api/query-client.ts'
import { Failure } from '../design/confirm-action.tsx'
import { Form, FormButtons, useForm } from '../design/form.tsx'
import { ErrorState, LoadingRows } from '../design/states.tsx'
import { showDone } from '../design/toast.tsx'
import { DefaultField, type DefaultValue } from './default-field.tsx'
import { defaultsQuery } from './queries.ts'

interface DefaultsStepProps {
  connection: Connection
  onDone: () => void
  /** Of the button that leaves without saving: "Later". */
  closeLabel: string
}

/** What all posts of a connection have in common, as a form of what its network asks and offers. */
export function DefaultsStep({ connection, onDone, closeLabel }: DefaultsStepProps) {
  const { data, error, refetch } = useQuery(defaultsQuery(connection.id))
  if (error && !data) {
    return (
      <Stack>
        <ErrorState
          title={t`The options could not be loaded from the network`}
          error={error}
          onRetry={() => void refetch()}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onDone}>
            {closeLabel}
          </Button>
        </Group>
      </Stack>
    )
  }
  if (!data) return <LoadingRows rows={3} height={56} label={t`Loading the options from the network…`} />
  return <DefaultsForm connection={connection} fields={data.fields} onDone={onDone} closeLabel={closeLabel} />
}

function DefaultsForm({ connection, fields, onDone, closeLabel }: DefaultsStepProps & ConnectionDefaults) {
  const initial: Record<string, DefaultValue> = Object.fromEntries(fields.map(({ name, value }) => [name, value]))
  const form = useForm({
    initial,
    check: Object.fromEntries(
      fields.flatMap(({ name, required }) => (required ? [[name, (value: DefaultValue) => missing(value)]] : [])),
    ),
    async send(values) {
      const changed = Object.entries(values).filter(([name, value]) => value !== initial[name])
      await call('PUT /connections/:id/defaults', {
        params: { id: connection.id },
        body: { defaults: Object.fromEntries(changed) },
      })
      queryClient.removeQueries({ queryKey: defaultsQuery(connection.id).queryKey })
      await readAgain('PUT /connections/:id/defaults')
      showDone(t`The publishing defaults of ${connection.name} are saved.`)
      onDone()
    },
  })
  return (
    <Form form={form}>
      {fields.length === 0 && (
        <Text>
          <Trans>This network has no options.</Trans>
        </Text>
      )}
      {fields.map((field) => (
        <DefaultField
          key={field.name}
          id={form.idOf(field.name)}
          accountType={connection.accountType}
          field={field}
          value={form.values[field.name] ?? null}
          error={form.wrong[field.name] ?? null}
          onChange={(value) => form.set(field.name, value)}
        />
      ))}
      <Failure error={form.rest} />
      <FormButtons form={form} submit={t`Save`} cancel={closeLabel} onCancel={onDone} />
    </Form>
  )
}

const missing = (value: DefaultValue) => (value === null ? t`Choose this before you schedule posts.` : null)
