import { t } from '@lingui/core/macro'
import { Button, ColorSwatch, Group, Stack } from '@mantine/core'
import type { Label } from '#contract'

interface LabelChoiceProps {
  labels: readonly Label[]
  /** What gets the label, or loses it. */
  subjects: readonly { labelsId: readonly string[] }[]
  /** `has`: whether they have it from now on. */
  onChoose: (label: Label, has: boolean) => void
}

/** One label for several posts or files: one that all of them have is taken from them. */
export function LabelChoice({ labels, subjects, onChoose }: LabelChoiceProps) {
  return (
    <Stack gap="xs" mah="50vh" style={{ overflowY: 'auto' }}>
      {labels.map((label, index) => {
        const all = subjects.every(({ labelsId }) => labelsId.includes(label.id))
        return (
          <Button
            key={label.id}
            variant="default"
            justify="flex-start"
            onClick={() => onChoose(label, !all)}
            data-autofocus={index === 0 || undefined}
          >
            <Group gap="xs">
              {all ? t`Remove` : t`Add`} <NamedLabel label={label} />
            </Group>
          </Button>
        )
      })}
    </Stack>
  )
}

export function NamedLabel({ label: { name, color } }: { label: Label }) {
  return (
    <Group gap={6} component="span">
      <ColorSwatch component="span" size={12} color={color ?? 'var(--mantine-color-gray-6)'} aria-hidden />
      {name}
    </Group>
  )
}
