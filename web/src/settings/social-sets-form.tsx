import { Button, Group, Stack, TextInput } from '@mantine/core'
import { type FormEvent, type ReactNode, useRef, useState } from 'react'
import { Failure } from '../design/confirm-action.tsx'
import { fieldErrors, restOfError } from '../design/field-errors.ts'
import { ZoneSelect } from '../time/zone-select.tsx'

export interface SocialSetValues {
  name: string
  timezone: string
}

/** Name and timezone of a social set. `children`: what the values ask for besides. */
export function SocialSetForm({ values, submitLabel, ready, save, onCancel, children }: SocialSetFormProps) {
  const [name, setName] = useState(values.name)
  const [timezone, setTimezone] = useState(values.timezone)
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const [missing, setMissing] = useState<string | null>(null)
  const nameField = useRef<HTMLInputElement>(null)
  const wrong = fieldErrors(error)

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setError(null)
    if (name.trim() === '') {
      setMissing('Enter a name.')
      nameField.current?.focus()
      return
    }
    if (ready && !ready({ timezone })) return
    setBusy(true)
    try {
      await save({ name: name.trim(), timezone })
    } catch (failure) {
      setError(failure)
      if (fieldErrors(failure).name) nameField.current?.focus()
      setBusy(false)
    }
  }
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack>
        <TextInput
          ref={nameField}
          label="Name"
          description="The brand whose calendar it is."
          autoComplete="off"
          required
          withAsterisk={false}
          value={name}
          onChange={(event) => {
            setName(event.currentTarget.value)
            setMissing(null)
          }}
          error={missing ?? wrong.name}
          data-autofocus
        />
        <ZoneSelect
          label="Timezone"
          description="The calendar shows its times, and posts go out by it."
          value={timezone}
          onChange={setTimezone}
          error={wrong.timezone}
        />
        {children?.({ timezone })}
        <Failure error={restOfError(error, ['name', 'timezone'])} />
        <Group justify="flex-end">
          <Button variant="default" disabled={busy} onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" loading={busy}>
            {submitLabel}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

interface SocialSetFormProps {
  values: SocialSetValues
  submitLabel: string
  /** Whether `children` miss nothing; they say what. */
  ready?: (values: Pick<SocialSetValues, 'timezone'>) => boolean
  /** When it throws, the form stays and says why. */
  save: (values: SocialSetValues) => Promise<void>
  onCancel: () => void
  children?: (values: Pick<SocialSetValues, 'timezone'>) => ReactNode
}
