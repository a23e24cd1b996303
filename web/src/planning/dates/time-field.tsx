import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { usePreferences } from '../../api/session.ts'
import { formatTime } from '../../time/zones.ts'
import { readClock } from './clock-text.ts'

interface TimeFieldProps {
  id?: string
  label: string
  /** The label is heard, not seen, and the field as wide as what it holds. */
  compact?: boolean
  /** `HH:MM`; empty while nothing is chosen. */
  value: string
  disabled?: boolean
  error?: string | null
  /** The same form; empty for what is no time. */
  onChange: (time: string) => void
}

/** A clock time, in the clock that the member prefers. Takes both. */
export function TimeField(props: TimeFieldProps) {
  const { id, label, compact = false, value, disabled = false, error = null, onChange } = props
  const preferences = usePreferences()
  /** While it is typed, it is as it was typed. */
  const [typed, setTyped] = useState<string | null>(null)
  const shown = value === '' ? '' : formatTime(`2000-01-01T${value}:00Z`, 'UTC', preferences)
  return (
    <TextInput
      {...(id === undefined ? {} : { id })}
      {...(compact ? { 'aria-label': label } : { label })}
      w={compact ? 'calc(84px * var(--field-scale))' : { base: '100%', xs: 112 }}
      inputMode="text"
      autoComplete="off"
      value={typed ?? shown}
      disabled={disabled}
      required
      withAsterisk={false}
      error={error}
      onFocus={(event) => event.currentTarget.select()}
      onChange={({ currentTarget: { value: text } }) => {
        setTyped(text)
        onChange(readClock(text) ?? '')
      }}
      onBlur={() => {
        // What is no time stays to be seen.
        if (value !== '') setTyped(null)
      }}
    />
  )
}
