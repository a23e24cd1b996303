import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import classes from './controls.module.css'
import { Dialog } from './dialog.tsx'
import { DialogButtons, Form, TextArea, useSending, Wrong } from './form.tsx'

interface ChangesDialogProps {
  /** What was written before, and not sent. */
  written: string
  onWrite: (text: string) => void
  onClose: () => void
  /** What it throws is shown; what was written stays. */
  onSend: (message: string) => Promise<void>
}

const MOST_SIGNS = 5_000

/** Asks what is to be changed: words are required. */
export function ChangesDialog({ written, onWrite, onClose, onSend }: ChangesDialogProps) {
  const { t } = useLingui()
  const [text, setText] = useState(written)
  const { busy, wrong, setWrong, send } = useSending()
  const submit = () => {
    if (text.trim() === '') return setWrong(t`Write what should change.`)
    void send(() => onSend(text.trim()))
  }
  return (
    <Dialog title={t`Request changes`} onClose={onClose}>
      <Form onSubmit={submit}>
        <TextArea
          label={t`What should change?`}
          rows={5}
          value={text}
          onChange={(value) => {
            setText(value)
            onWrite(value)
          }}
          maxLength={MOST_SIGNS}
          isWrong={wrong !== null}
        />
        <Wrong>{wrong}</Wrong>
        <p className={classes.dim}>
          <Trans>The post becomes a draft until the team has changed it and asks you again.</Trans>
        </p>
        <DialogButtons disabled={busy} onCancel={onClose}>
          <Trans>Send request</Trans>
        </DialogButtons>
      </Form>
    </Dialog>
  )
}
