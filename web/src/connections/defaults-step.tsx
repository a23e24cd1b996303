import { Button, Group, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ChosenDefaults, Connection, ConnectionDefaults } from '#contract'
import { api } from '../api/client.ts'
import { queryClient } from '../api/query-client.ts'
import { Failure } from '../design/confirm-action.tsx'
import { ErrorState, LoadingRows } from '../design/states.tsx'
import { showDone } from '../design/toast.tsx'
import { DefaultField, type DefaultValue } from './default-field.tsx'
import { connectionsChanged, defaultsQuery } from './queries.ts'

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
        <ErrorState title="The network did not tell what can be chosen" error={error} onRetry={() => void refetch()} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onDone}>
            {closeLabel}
          </Button>
        </Group>
      </Stack>
    )
  }
  if (!data) return <LoadingRows rows={3} height={56} label="Asking the network what can be chosen…" />
  return <DefaultsForm connection={connection} fields={data.fields} onDone={onDone} closeLabel={closeLabel} />
}

function DefaultsForm({ connection, fields, onDone, closeLabel }: DefaultsStepProps & ConnectionDefaults) {
  const [values, setValues] = useState<Record<string, DefaultValue>>({})
  const [tried, setTried] = useState(false)
  const chosen = (name: string): DefaultValue =>
    name in values ? (values[name] ?? null) : (fields.find((field) => field.name === name)?.value ?? null)
  const missing = fields.filter(({ name, required }) => required && chosen(name) === null)
  const saving = useMutation({
    mutationFn: () => api.put<ChosenDefaults>(`/connections/${connection.id}/defaults`, { defaults: values }),
    onSuccess: async () => {
      queryClient.removeQueries({ queryKey: defaultsQuery(connection.id).queryKey })
      await connectionsChanged()
      showDone(`The publishing defaults of ${connection.name} are saved.`)
      onDone()
    },
  })
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        setTried(true)
        if (missing.length === 0) saving.mutate()
      }}
    >
      <Stack>
        {fields.length === 0 && <Text>This network asks for nothing.</Text>}
        {fields.map((field) => (
          <DefaultField
            key={field.name}
            field={field}
            value={chosen(field.name)}
            error={tried && missing.includes(field) ? 'Choose this before posts are scheduled.' : null}
            onChange={(value) => setValues((before) => ({ ...before, [field.name]: value }))}
          />
        ))}
        <Failure error={saving.error} />
        <Group justify="flex-end">
          <Button variant="default" disabled={saving.isPending} onClick={onDone}>
            {closeLabel}
          </Button>
          <Button type="submit" loading={saving.isPending}>
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
