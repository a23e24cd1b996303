import { Trans } from '@lingui/react/macro'
import { type FormEvent, type ReactNode, useId, useState } from 'react'
import { messageOf } from '../design/error-text.ts'
import { DECIDES, LEADS } from '../design/presses.ts'
import classes from './controls.module.css'

/** Whether something is being sent, and why it could not be. */
export function useSending() {
  const [busy, setBusy] = useState(false)
  const [wrong, setWrong] = useState<string | null>(null)
  return {
    busy,
    /** What went wrong, in words. */
    wrong,
    setWrong,
    /** Answers whether it worked. */
    async send(work: () => Promise<unknown>): Promise<boolean> {
      if (busy) return false
      setBusy(true)
      setWrong(null)
      try {
        await work()
        return true
      } catch (error) {
        setWrong(messageOf(error))
        return false
      } finally {
        setBusy(false)
      }
    },
  }
}

/** The guests' one element of a form. */
export function Form({ onSubmit, children }: { onSubmit: () => void; children: ReactNode }) {
  return (
    <form
      noValidate
      onSubmit={(event: FormEvent) => {
        event.preventDefault()
        onSubmit()
      }}
    >
      {children}
    </form>
  )
}

/** What is wrong, when something is. */
export function Wrong({ children }: { children: string | null }) {
  if (children === null) return null
  return (
    <p className={classes.wrong} role="alert">
      {children}
    </p>
  )
}

interface TextAreaProps {
  label: string
  rows: number
  value: string
  onChange: (value: string) => void
  maxLength: number
  isWrong: boolean
}

/** Words of a guest, with their label. */
export function TextArea({ label, rows, value, onChange, maxLength, isWrong }: TextAreaProps) {
  const id = useId()
  return (
    <>
      <label htmlFor={id}>{label}</label>
      <textarea
        id={id}
        className={classes.field}
        rows={rows}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        dir="auto"
        maxLength={maxLength}
        aria-invalid={isWrong}
      />
      {value.length >= maxLength && (
        <p className={classes.wrong} role="status">
          <Trans>At most {maxLength} characters fit here. What came after them was left out.</Trans>
        </p>
      )}
    </>
  )
}

interface DialogButtonsProps {
  /** It decides about posts. */
  decides?: boolean
  disabled: boolean
  onCancel: () => void
  /** Words of the button that does it. */
  children: ReactNode
}

export function DialogButtons({ decides = false, disabled, onCancel, children }: DialogButtonsProps) {
  return (
    <p className={classes.buttons}>
      <button type="submit" {...(decides ? DECIDES : LEADS)} className={classes.primary} disabled={disabled}>
        {children}
      </button>
      <button type="button" className={classes.button} onClick={onCancel}>
        <Trans>Cancel</Trans>
      </button>
    </p>
  )
}
