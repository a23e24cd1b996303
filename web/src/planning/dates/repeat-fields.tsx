import { t } from '@lingui/core/macro'
import { Group, NativeSelect, Stack, Switch, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import type { Repeat, RepeatInterval } from '#contract'

const intervals = (): { value: RepeatInterval; label: string }[] => [
  { value: 'DAY', label: t`every day` },
  { value: 'WEEK', label: t`every week` },
  { value: 'MONTH', label: t`every month` },
  { value: 'YEAR', label: t`every year` },
]

interface RepeatFieldsProps {
  repeat: Repeat | null
  /** How many occurrences there may be. */
  counts: Counts
  onChange: (repeat: Repeat | null) => void
  /** What stands below the fields while something repeats. */
  children?: ReactNode
}

interface Counts {
  min: number
  max: number
}

/** Whether a number of occurrences is one that there may be. */
export function isCount(occurrences: number, { min, max }: Counts): boolean {
  return Number.isInteger(occurrences) && occurrences >= min && occurrences <= max
}

/** Whether something repeats, how often, and how many times in all. */
export function RepeatFields({ repeat, counts, onChange, children }: RepeatFieldsProps) {
  const { min: MIN, max } = counts
  const [text, setText] = useState(String(repeat?.occurrences ?? 4))
  return (
    <Stack gap="xs">
      <Switch
        label={t`Repeat`}
        checked={repeat !== null}
        onChange={(event) =>
          onChange(event.currentTarget.checked ? { interval: 'WEEK', occurrences: Number(text) } : null)
        }
      />
      {repeat && (
        <Group align="flex-start" gap="sm">
          <NativeSelect
            label={t`How often`}
            description={t`Time between posts`}
            value={repeat.interval}
            data={intervals()}
            onChange={(event) => onChange({ ...repeat, interval: event.currentTarget.value as RepeatInterval })}
          />
          <TextInput
            type="number"
            inputMode="numeric"
            label={t`Number of times`}
            description={t`${MIN} to ${max}, including this one`}
            min={MIN}
            max={max}
            step={1}
            value={text}
            error={isCount(Number(text), counts) ? null : t`Choose a number from ${MIN} to ${max}.`}
            onChange={(event) => {
              setText(event.currentTarget.value)
              // What is not a number yet is none: it is shown as wrong, and not saved.
              onChange({ ...repeat, occurrences: Number(event.currentTarget.value) })
            }}
          />
        </Group>
      )}
      {repeat && children}
    </Stack>
  )
}
