import { t } from '@lingui/core/macro'
import { NativeSelect, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { FITS, type Fit } from '#contract/picture-fit'
import { Failure } from '../design/confirm-action.tsx'
import { Form, FormButtons, filled, useForm } from '../design/form.tsx'
import { ColorChoice } from '../planning/labels/label-colors.tsx'
import { FIELD_VALUES, fieldName } from '../planning/posts/field-words.ts'
import { ZoneSelect } from '../time/zone-select.tsx'

export interface SocialSetValues {
  name: string
  /** Null: it is not asked for. */
  color: string | null
  /** What becomes of pictures of another shape. Null: it is not asked for. */
  fit: Fit | null
  timezone: string
}

/** Name, colour and timezone of a social set. `children`: what the values ask for besides. */
export function SocialSetForm({ values, submitLabel, ready, save, onCancel, children }: SocialSetFormProps) {
  const form = useForm({
    initial: values,
    check: { name: filled(t`Enter a name.`) },
    async send({ name, color, fit, timezone }) {
      if (!ready || ready({ timezone })) await save({ name: name.trim(), color, fit, timezone })
    },
  })
  const { timezone } = form.values
  return (
    <Form form={form}>
      <TextInput label={t`Name`} autoComplete="off" data-autofocus {...form.text('name')} />
      {values.color !== null && (
        <ColorChoice value={form.values.color} none={false} onChange={(color) => form.set('color', color)} />
      )}
      <ZoneSelect
        label={t`Time zone`}
        description={t`The calendar shows times in it, and posts are published by it.`}
        {...form.choice('timezone')}
      />
      {values.fit !== null && (
        <NativeSelect
          label={fieldName('fit')}
          description={t`Of new posts. In each post you can choose otherwise.`}
          data={FITS.map((fit) => ({ value: fit, label: FIELD_VALUES[fit] ?? fit }))}
          value={form.values.fit ?? values.fit}
          onChange={(event) => form.set('fit', event.currentTarget.value as Fit)}
        />
      )}
      {children?.({ timezone })}
      <Failure error={form.rest} />
      <FormButtons form={form} submit={submitLabel} onCancel={onCancel} />
    </Form>
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
