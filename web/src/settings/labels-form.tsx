import { Button, Group, Stack, TextInput } from '@mantine/core'
import { type FormEvent, useRef, useState } from 'react'
import { hasCode } from '../api/api-error.ts'
import { Failure } from '../design/confirm-action.tsx'
import { ColorChoice } from './labels-colors.tsx'
import type { LabelFields } from './labels-requests.ts'

const NAME_LIMIT = 60

interface LabelFormProps {
  initial: LabelFields
  nameLabel: string
  submitLabel: string
  /** What it throws is told in the form. */
  onSubmit: (fields: LabelFields) => Promise<void>
  /** Absent: the form stays, and is empty again after each label. */
  onCancel?: () => void
}

/** Asks for the name and the colour of a label. */
export function LabelForm({ initial, nameLabel, submitLabel, onSubmit, onCancel }: LabelFormProps) {
  const [fields, setFields] = useState(initial)
  const [problem, setProblem] = useState<string | null>(null)
  const [failure, setFailure] = useState<unknown>(null)
  const [busy, setBusy] = useState(false)
  const input = useRef<HTMLInputElement>(null)

  const refuse = (why: string) => {
    setProblem(why)
    input.current?.focus()
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setFailure(null)
    const name = fields.name.trim()
    if (name === '') return refuse('Enter a name.')
    // One from before there was a limit may stay as it is.
    if (name !== initial.name && [...name].length > NAME_LIMIT) {
      return refuse(`Shorten the name: it has at most ${NAME_LIMIT} characters.`)
    }
    setBusy(true)
    try {
      await onSubmit({ ...fields, name })
      if (!onCancel) {
        setFields(initial)
        input.current?.focus()
      }
    } catch (error) {
      if (hasCode(error, 'label:name_taken')) refuse(error.message)
      else setFailure(error)
    } finally {
      setBusy(false)
    }
  }

  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack gap="sm">
        <TextInput
          ref={input}
          label={nameLabel}
          autoComplete="off"
          maw={420}
          value={fields.name}
          onChange={(event) => {
            setFields({ ...fields, name: event.currentTarget.value })
            setProblem(null)
          }}
          error={problem}
          data-autofocus={onCancel ? true : undefined}
          autoFocus={onCancel !== undefined}
        />
        <ColorChoice
          value={fields.color}
          present={initial.color}
          onChange={(color) => setFields({ ...fields, color })}
        />
        <Failure error={failure} />
        <Group gap="sm">
          <Button type="submit" loading={busy}>
            {submitLabel}
          </Button>
          {onCancel && (
            <Button variant="default" disabled={busy} onClick={onCancel}>
              Cancel
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  )
}
