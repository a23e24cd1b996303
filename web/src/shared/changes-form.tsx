import { Trans, useLingui } from '@lingui/react/macro'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import * as LIMITS from '#contract/limits'
import classes from './controls.module.css'
import { Dialog } from './dialog.tsx'
import { DialogButtons, Form, TextArea, useSending, Wrong } from './form.tsx'

export interface ChangesFormProps {
  /** What was written before, and not sent. */
  written: string
  onWrite: (text: string) => void
  onClose: () => void
  /** What it throws is shown; what was written stays. */
  onSend: (message: string) => Promise<void>
}

/** Asks what is to be changed: words are required. */
function ChangesForm({ written, onWrite, onClose, onSend }: ChangesFormProps) {
  const { t } = useLingui()
  const [text, setText] = useState(written)
  const { busy, wrong, setWrong, send } = useSending()
  const submit = () => {
    if (text.trim() === '') return setWrong(t`Write what should change.`)
    void send(() => onSend(text.trim()))
  }
  return (
    <Form onSubmit={submit}>
      <TextArea
        label={t`What should change?`}
        rows={3}
        value={text}
        onChange={(value) => {
          setText(value)
          onWrite(value)
        }}
        maxLength={LIMITS.metadataCodePoints}
        isWrong={wrong !== null}
      />
      <Wrong>{wrong}</Wrong>
      <p className={classes.dim}>
        <Trans>The post becomes a draft until the team has changed it and asks you again.</Trans>
      </p>
      <DialogButtons decides disabled={busy} onCancel={onClose}>
        <Trans>Send request</Trans>
      </DialogButtons>
    </Form>
  )
}

/** Over the open post. */
export function ChangesDialog(props: ChangesFormProps) {
  const { t } = useLingui()
  return (
    <Dialog title={t`Request changes`} onClose={props.onClose}>
      <ChangesForm {...props} />
    </Dialog>
  )
}

/** In the row of a post, which stays in sight. Has the focus from the start; Escape closes it. */
export function ChangesInRow(props: ChangesFormProps) {
  const { t } = useLingui()
  const place = useRef<HTMLElement>(null)
  useEffect(() => place.current?.querySelector('textarea')?.focus(), [])
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') props.onClose()
  }
  return (
    <section ref={place} className={classes.inRow} aria-label={t`Request changes`} onKeyDown={onKeyDown}>
      <ChangesForm {...props} />
    </section>
  )
}
