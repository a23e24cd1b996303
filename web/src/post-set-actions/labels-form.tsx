import { t } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'
import { Button, Checkbox, Group, Stack, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import type { Label } from '#contract'
import { useMay } from '../api/session.ts'
import { Form, FormButtons, useForm } from '../design/form.tsx'
import { EmptyState } from '../design/states.tsx'
import { createLabel } from '../planning/labels/create-label.ts'
import { LabelChoice, NamedLabel } from '../planning/labels/label-choice.tsx'
import { LabelForm } from '../planning/labels/label-form.tsx'
import type { Prompt } from './prompt.ts'

interface LabelsFormProps {
  asked: Extract<Prompt, { kind: 'labels' }>
  labels: readonly Label[]
}

/** Asks which labels a set should have; of several sets, which one all should get or lose. One that is missed is created here. */
export function LabelsForm({ asked, labels }: LabelsFormProps) {
  const mayCreate = useMay('labels:manage')
  if (labels.length === 0 && !mayCreate) {
    return (
      <EmptyState>
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
    <WithNewLabel
      labels={labels}
      onCreated={({ id }) => form.set('chosen', [...form.values.chosen, id])}
      onLeave={() => answer(null)}
    >
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
    </WithNewLabel>
  )
}

function OfSeveral({ asked: { subjects, answer }, labels }: LabelsFormProps) {
  return (
    <WithNewLabel
      labels={labels}
      onCreated={({ id }) => answer({ add: [id], remove: [] })}
      onLeave={() => answer(null)}
    >
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
    </WithNewLabel>
  )
}

interface WithNewLabelProps {
  labels: readonly Label[]
  onCreated: (label: Label) => void
  /** None is created, and there is none to choose. */
  onLeave: () => void
  /** What is chosen in it stays while a label is created. */
  children: ReactNode
}

function WithNewLabel({ labels, onCreated, onLeave, children }: WithNewLabelProps) {
  const mayCreate = useMay('labels:manage')
  const [naming, setNaming] = useState(labels.length === 0)
  return (
    <>
      <div hidden={naming}>
        {mayCreate && (
          <Group mb="sm">
            <Button
              variant="default"
              size="compact-sm"
              leftSection={<IconPlus size={16} aria-hidden />}
              onClick={() => setNaming(true)}
            >
              <Trans>New label…</Trans>
            </Button>
          </Group>
        )}
        {children}
      </div>
      {naming && (
        <LabelForm
          initial={{ name: '', color: null }}
          nameLabel={t`Name`}
          submitLabel={t`Create label`}
          onSubmit={async (fields) => {
            onCreated(await createLabel(fields))
            setNaming(false)
          }}
          onCancel={() => (labels.length === 0 ? onLeave() : setNaming(false))}
        />
      )}
    </>
  )
}
