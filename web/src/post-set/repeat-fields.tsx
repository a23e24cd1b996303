import { Group, NativeSelect, NumberInput, Stack, Switch } from '@mantine/core'
import type { Repeat, RepeatInterval } from '#contract'

const INTERVALS: { value: RepeatInterval; label: string }[] = [
  { value: 'DAY', label: 'every day' },
  { value: 'WEEK', label: 'every week' },
  { value: 'MONTH', label: 'every month' },
  { value: 'YEAR', label: 'every year' },
]

interface RepeatFieldsProps {
  repeat: Repeat | null
  /** Most occurrences that there may be. */
  max: number
  onChange: (repeat: Repeat | null) => void
}

/** Whether something repeats, how often, and how many times in all. */
export function RepeatFields({ repeat, max, onChange }: RepeatFieldsProps) {
  return (
    <Stack gap="xs">
      <Switch
        label="Repeat"
        checked={repeat !== null}
        onChange={(event) => onChange(event.currentTarget.checked ? { interval: 'WEEK', occurrences: 4 } : null)}
      />
      {repeat && (
        <Group align="flex-start">
          <NativeSelect
            label="How often"
            value={repeat.interval}
            data={INTERVALS}
            onChange={(event) => onChange({ ...repeat, interval: event.currentTarget.value as RepeatInterval })}
          />
          <NumberInput
            label="How many in all"
            description={`2 to ${max}, this one included`}
            min={2}
            max={max}
            allowDecimal={false}
            value={repeat.occurrences}
            onChange={(value) => onChange({ ...repeat, occurrences: typeof value === 'number' ? value : 2 })}
          />
        </Group>
      )}
    </Stack>
  )
}
