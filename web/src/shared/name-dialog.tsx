import { Trans, useLingui } from '@lingui/react/macro'
import { useId, useState } from 'react'
import * as LIMITS from '#contract/limits'
import { callAsGuest } from '../api/guests.ts'
import classes from './controls.module.css'
import { queryClient } from './data.ts'
import { Dialog } from './dialog.tsx'
import { DialogButtons, Form, useSending, Wrong } from './form.tsx'

interface NameDialogProps {
  /** The one that was given; null for none. */
  name: string | null
  onClose: () => void
  onNamed: () => void
}

/** Asks a guest for their name: once, when something is to be said in it. */
export function NameDialog({ name, onClose, onNamed }: NameDialogProps) {
  const { t } = useLingui()
  const [text, setText] = useState(name ?? '')
  const { busy, wrong, setWrong, send } = useSending()
  const [field, said] = [useId(), useId()]
  const submit = async () => {
    if (text.trim() === '') return setWrong(t`Enter your name.`)
    const named = await send(async () => {
      queryClient.setQueryData(['visit'], await callAsGuest('PUT /visit/name', { body: { name: text.trim() } }))
    })
    if (named) onNamed()
  }
  return (
    <Dialog title={t`Your name`} onClose={onClose}>
      <Form onSubmit={() => void submit()}>
        <p id={said}>
          <Trans>The team sees who approved, requested changes or wrote something. You do not need an account.</Trans>
        </p>
        <label htmlFor={field}>
          <Trans>Name</Trans>
        </label>
        <input
          id={field}
          className={classes.field}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          dir="auto"
          autoComplete="name"
          maxLength={LIMITS.sharedCalendars.guestNameCodePoints}
          aria-invalid={wrong !== null}
          aria-describedby={said}
        />
        <Wrong>{wrong}</Wrong>
        <DialogButtons disabled={busy} onCancel={onClose}>
          <Trans>Continue</Trans>
        </DialogButtons>
      </Form>
    </Dialog>
  )
}
