import { plural } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { Textarea } from '@mantine/core'
import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react'
import type { CommentPerson } from '#contract'
import * as LIMITS from '#contract/limits'
import { announce } from '../design/announce.tsx'
import classes from './comments.module.css'
import { matching, type Writing, withMention, writingAt } from './mentions.ts'

interface MentionFieldProps {
  label: string
  placeholder?: string
  text: string
  people: readonly CommentPerson[]
  error?: ReactNode
  focused?: boolean
  onChange: (text: string) => void
  /** Ctrl+Enter. */
  onSend: () => void
}

/** A text in which members are named: @ opens the list of those who can be, which keys and pointer choose from. */
export function MentionField({
  label,
  placeholder,
  text,
  people,
  error,
  focused = false,
  onChange,
  onSend,
}: MentionFieldProps) {
  const { t } = useLingui()
  const id = useId()
  const field = useRef<HTMLTextAreaElement>(null)
  const [writing, setWriting] = useState<Writing | null>(null)
  const [active, setActive] = useState(0)
  const offered = writing ? matching(people, writing.query) : []
  const open = offered.length > 0
  const optionId = (index: number) => `${id}-${index}`

  const look = (value: string, caret: number) => {
    const next = writingAt(value, caret)
    setWriting(next)
    setActive(0)
    const found = next ? matching(people, next.query).length : 0
    if (next && next.query !== writing?.query && found > 0) {
      announce(
        plural(found, {
          one: '# person. Arrow keys and Enter choose.',
          other: '# people. Arrow keys and Enter choose.',
        }),
      )
    }
  }
  const choose = (person: CommentPerson) => {
    const input = field.current
    if (!input || !writing) return
    const next = withMention(text, input.selectionStart, writing, person)
    onChange(next.text)
    setWriting(null)
    requestAnimationFrame(() => {
      input.focus()
      input.setSelectionRange(next.caret, next.caret)
    })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault()
      return onSend()
    }
    if (!open || event.nativeEvent.isComposing) return
    const person = offered[active]
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step !== 0) setActive((active + step + offered.length) % offered.length)
    else if ((event.key === 'Enter' || event.key === 'Tab') && person) choose(person)
    else if (event.key === 'Escape') setWriting(null)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    // Escape is about the list while that is open, and not about the dialog around it.
    <div className={classes.field} data-mantine-stop-propagation={open ? 'true' : undefined}>
      <Textarea
        ref={field}
        aria-label={label}
        placeholder={placeholder}
        autosize
        minRows={2}
        maxRows={10}
        maxLength={LIMITS.comments.codePoints}
        dir="auto"
        autoFocus={focused}
        value={text}
        error={error}
        aria-autocomplete="list"
        aria-controls={open ? `${id}-people` : undefined}
        aria-activedescendant={open ? optionId(active) : undefined}
        onChange={({ currentTarget: { value, selectionStart } }) => {
          onChange(value)
          look(value, selectionStart)
        }}
        onKeyDown={onKeyDown}
        onBlur={() => setWriting(null)}
      />
      {open && (
        <div className={classes.people} role="listbox" id={`${id}-people`} aria-label={t`People to mention`}>
          {offered.map((person, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keys
            // biome-ignore lint/a11y/useFocusableInteractive: the field has the focus and names the option
            <div
              key={person.userId}
              id={optionId(index)}
              role="option"
              aria-selected={index === active}
              // The field keeps the focus.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => choose(person)}
              dir="auto"
            >
              {person.name}
            </div>
          ))}
        </div>
      )}
    </div>
  )
}
