import { Button, Checkbox, ColorSwatch, Group, Stack, Text } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { Label } from '#contract'
import { EmptyState } from '../design/states.tsx'
import { count } from '../design/words.ts'
import { RouterButton } from '../shell/links.tsx'
import type { Asked } from './asked.ts'

interface LabelsFormProps {
  asked: Extract<Asked, { kind: 'labels' }>
  labels: readonly Label[]
}

/** Asks which labels a set should have; of several sets, which one all should get or lose. */
export function LabelsForm({ asked, labels }: LabelsFormProps) {
  if (labels.length === 0) {
    return (
      <EmptyState action={<RouterButton to="/settings/labels">Make a label</RouterButton>}>
        The account has no labels yet.
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
  const [chosen, setChosen] = useState<string[]>(before)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    answer({ add: chosen.filter((id) => !before.includes(id)), remove: before.filter((id) => !chosen.includes(id)) })
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        <Checkbox.Group label="Labels of this post set" value={chosen} onChange={setChosen}>
          <Stack gap="xs" mt="xs" mah="50vh" style={{ overflowY: 'auto' }}>
            {labels.map((label, index) => (
              <Checkbox
                key={label.id}
                value={label.id}
                label={<Named label={label} />}
                data-autofocus={index === 0 || undefined}
              />
            ))}
          </Stack>
        </Checkbox.Group>
        <Group justify="flex-end">
          <Button variant="default" onClick={() => answer(null)}>
            Cancel
          </Button>
          <Button type="submit">Save labels</Button>
        </Group>
      </Stack>
    </form>
  )
}

function OfSeveral({ asked: { subjects, answer }, labels }: LabelsFormProps) {
  return (
    <Stack>
      <Text>
        Choose the label that {count(subjects.length, 'post set')} should get. One that all have is taken off.
      </Text>
      <Stack gap="xs" mah="50vh" style={{ overflowY: 'auto' }}>
        {labels.map((label, index) => {
          const all = subjects.every(({ labelsId }) => labelsId.includes(label.id))
          const change = all ? { add: [], remove: [label.id] } : { add: [label.id], remove: [] }
          return (
            <Button
              key={label.id}
              variant="default"
              justify="flex-start"
              onClick={() => answer(change)}
              data-autofocus={index === 0 || undefined}
            >
              <Group gap="xs">
                {all ? 'Take off' : 'Add'} <Named label={label} />
              </Group>
            </Button>
          )
        })}
      </Stack>
    </Stack>
  )
}

function Named({ label: { name, color } }: { label: Label }) {
  return (
    <Group gap={6} component="span">
      <ColorSwatch component="span" size={12} color={color ?? 'var(--mantine-color-gray-6)'} aria-hidden />
      {name}
    </Group>
  )
}
