import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Group, TextInput } from '@mantine/core'
import * as LIMITS from '#contract/limits'
import { hasCode } from '../../api/api-error.ts'
import { Failure } from '../../design/confirm-action.tsx'
import { Form, useForm } from '../../design/form.tsx'
import type { LabelFields } from './create-label.ts'
import { ColorChoice } from './label-colors.tsx'

const NAME_LIMIT = LIMITS.labelCodePoints

interface LabelFormProps {
  initial: LabelFields
  nameLabel: string
  submitLabel: string
  /** What it throws is reported in the form. */
  onSubmit: (fields: LabelFields) => Promise<void>
  /** Absent: the form stays, and is empty again after each label. */
  onCancel?: () => void
}

/** Asks for the name and the color of a label. */
export function LabelForm({ initial, nameLabel, submitLabel, onSubmit, onCancel }: LabelFormProps) {
  const form = useForm({
    initial,
    check: {
      name: (value) => {
        const name = value.trim()
        if (name === '') return t`Enter a name.`
        // One from before there was a limit may stay as it is.
        if (name === initial.name || [...name].length <= NAME_LIMIT) return null
        return t`Shorten the name to ${NAME_LIMIT} characters.`
      },
    },
    async send(fields) {
      await onSubmit({ ...fields, name: fields.name.trim() })
      if (onCancel) return
      form.reset()
      document.getElementById(form.idOf('name'))?.focus()
    },
    explain: (error) => (hasCode(error, 'label:name_taken') ? { name: error.message } : {}),
  })
  const { value, onChange } = form.choice('color')
  return (
    <Form form={form} gap="sm">
      <TextInput
        label={nameLabel}
        autoComplete="off"
        maw={420}
        data-autofocus={onCancel ? true : undefined}
        autoFocus={onCancel !== undefined}
        {...form.text('name')}
      />
      <ColorChoice value={value} present={initial.color} onChange={onChange} />
      <Failure error={form.rest} />
      <Group gap="sm">
        <Button type="submit" loading={form.busy}>
          {submitLabel}
        </Button>
        {onCancel && (
          <Button variant="default" disabled={form.busy} onClick={onCancel}>
            <Trans>Cancel</Trans>
          </Button>
        )}
      </Group>
    </Form>
  )
}
