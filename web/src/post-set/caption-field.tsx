import { Group, Text, Textarea } from '@mantine/core'
import type { ProblemEntry } from '#contract'

interface CaptionFieldProps {
  label: string
  value: string
  problems: readonly ProblemEntry[]
  description?: string
  /** Takes the focus when the dialog opens. */
  autofocus?: boolean
  onChange: (caption: string) => void
}

/** A caption. How long it is is said by the server's check: every network counts in its own way. */
export function CaptionField({ label, value, problems, description, autofocus = false, onChange }: CaptionFieldProps) {
  const long = problems.find(({ code }) => code === 'post:caption_too_long')
  return (
    <div>
      <Textarea
        label={label}
        value={value}
        autosize
        data-autofocus={autofocus || undefined}
        minRows={4}
        maxRows={14}
        error={problems.map(({ message }) => message).join(' ') || null}
        {...(description ? { description } : {})}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      {long?.limit !== undefined && long.actual !== undefined && (
        <Group justify="flex-end">
          <Text size="xs" c="var(--mantine-color-error)">
            {long.actual} of {long.limit}: shorten by {long.actual - long.limit}
          </Text>
        </Group>
      )}
    </div>
  )
}
