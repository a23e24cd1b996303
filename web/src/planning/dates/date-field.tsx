import { useLingui } from '@lingui/react/macro'
import { ActionIcon, Popover, TextInput } from '@mantine/core'
import { IconCalendar } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { usePreferences } from '../../api/session.ts'
import { dayText, readDay } from './day-text.ts'
import { MonthGrid } from './month-grid.tsx'

interface DateFieldProps {
  id?: string
  label: string
  /** The label is heard, not seen, and the field as wide as what it holds. */
  compact?: boolean
  /** `2030-06-12`; empty while there is none. */
  value: string
  today: Temporal.PlainDate
  disabled?: boolean
  /** Shown once the field was left. */
  error?: string | null
  /** Takes the focus when a dialog opens. */
  autofocus?: boolean
  /** The same form; empty for what is no day. */
  onChange: (date: string) => void
}

/** A day, as the member's language writes it: typed, or chosen from a month. */
export function DateField(props: DateFieldProps) {
  const {
    id,
    label,
    compact = false,
    value,
    today,
    disabled = false,
    error = null,
    autofocus = false,
    onChange,
  } = props
  const { t } = useLingui()
  const preferences = usePreferences()
  const field = useRef<HTMLInputElement>(null)
  const [opened, setOpened] = useState(false)
  /** While it is typed, it is as it was typed. */
  const [typed, setTyped] = useState<string | null>(null)
  const [writing, setWriting] = useState(false)
  const date = value === '' ? null : Temporal.PlainDate.from(value)
  const close = () => {
    setOpened(false)
    requestAnimationFrame(() => field.current?.focus())
  }
  return (
    <TextInput
      ref={field}
      {...(id === undefined ? {} : { id })}
      {...(compact ? { 'aria-label': label } : { label })}
      w={compact ? 'calc(170px * var(--field-scale))' : { base: '100%', xs: 190 }}
      inputMode="text"
      autoComplete="off"
      value={typed ?? (date ? dayText(date, preferences) : '')}
      data-day={value}
      data-autofocus={autofocus || undefined}
      disabled={disabled}
      required
      withAsterisk={false}
      aria-keyshortcuts="ArrowDown"
      error={writing ? null : error}
      onFocus={(event) => event.currentTarget.select()}
      onChange={({ currentTarget: { value: text } }) => {
        setTyped(text)
        setWriting(true)
        onChange(readDay(text, preferences, { today, shown: date ?? today }) ?? '')
      }}
      onKeyDown={(event) => {
        if (event.key !== 'ArrowDown') return
        event.preventDefault()
        setOpened(true)
      }}
      onBlur={() => {
        setWriting(false)
        // What is no day stays to be seen.
        if (value !== '') setTyped(null)
      }}
      leftSectionPointerEvents="all"
      leftSection={
        <Popover
          opened={opened}
          onChange={setOpened}
          position="bottom-start"
          withinPortal
          trapFocus
          returnFocus={false}
        >
          <Popover.Target>
            <ActionIcon
              variant="subtle"
              color="gray"
              size="md"
              disabled={disabled}
              aria-label={t`Choose a day`}
              onClick={() => setOpened((shown) => !shown)}
            >
              <IconCalendar size={18} aria-hidden />
            </ActionIcon>
          </Popover.Target>
          {/* Escape closes this alone, not the dialog that it is in. */}
          <Popover.Dropdown
            aria-label={t`Choose a day`}
            aria-labelledby={undefined}
            data-mantine-stop-propagation="true"
            onKeyDownCapture={(event) => {
              if (event.key === 'Escape') close()
            }}
          >
            <MonthGrid
              value={date ?? today}
              today={today}
              onChoose={(day) => {
                setTyped(null)
                setWriting(false)
                onChange(day.toString())
                close()
              }}
            />
          </Popover.Dropdown>
        </Popover>
      }
    />
  )
}
