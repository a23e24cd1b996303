import { t } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'
import { Checkbox, Stack, Text } from '@mantine/core'
import type { Label } from '#contract'
import { Form, FormButtons, useForm } from '../design/form.tsx'
import { EmptyState } from '../design/states.tsx'
import { RouterButton } from '../frame/links.tsx'
import { LabelChoice, NamedLabel } from '../planning/label-choice.tsx'
import type { Prompt } from './prompt.ts'

interface LabelsFormProps {
  asked: Extract<Prompt, { kind: 'labels' }>
  labels: readonly Label[]
}

/** Asks which labels a set should have; of several sets, which one all should get or lose. */
export function LabelsForm({ asked, labels }: LabelsFormProps) {
  if (labels.length === 0) {
    return (
      <EmptyState
        action={
          <RouterButton to="/settings/labels">
            <Trans>Create a label</Trans>
          </RouterButton>
        }
      >
        <Trans>The account has no labels yet.</Trans>
      </EmptyState>
    )
  }
  return asked.subjects.length === 1 ? (
    <OfOne asked={asked} labels={labels} />
  ) : (
    <OfSeveral asked={asked} labels={labels} />
  )
}

function OfOne({ asked: { subjects, answer }, labels }: LabelsFormProps) {
  const before = subjects[0]?.labelsId ?? []
  const form = useForm({
    initial: { chosen: before },
    send: ({ chosen }) =>
      answer({ add: chosen.filter((id) => !before.includes(id)), remove: before.filter((id) => !chosen.includes(id)) }),
  })
  return (
    <Form form={form}>
      <Checkbox.Group label={t`Labels of this post`} {...form.choice('chosen')}>
        <Stack gap="xs" mt="xs" mah="50vh" style={{ overflowY: 'auto' }}>
          {labels.map((label, index) => (
            <Checkbox
              key={label.id}
              value={label.id}
              label={<NamedLabel label={label} />}
              data-autofocus={index === 0 || undefined}
            />
          ))}
        </Stack>
      </Checkbox.Group>
      <FormButtons form={form} submit={t`Save labels`} onCancel={() => answer(null)} />
    </Form>
  )
}

function OfSeveral({ asked: { subjects, answer }, labels }: LabelsFormProps) {
  return (
    <Stack>
      <Text>
        <Plural
          value={subjects.length}
          one="Choose a label for # post. A label that it already has is removed."
          other="Choose a label for # posts. A label that all of them already have is removed."
        />
      </Text>
      <LabelChoice
        labels={labels}
        subjects={subjects}
        onChoose={({ id }, has) => answer(has ? { add: [id], remove: [] } : { add: [], remove: [id] })}
      />
    </Stack>
  )
}
