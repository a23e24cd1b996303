import { Trans, useLingui } from '@lingui/react/macro'
import { useId, useState } from 'react'
import type { GuestVisit } from '#contract'
import { callAsGuest } from '../api/guests.ts'
import classes from './controls.module.css'
import { queryClient } from './data.ts'
import { Dialog } from './dialog.tsx'
import { Form, useSending, Wrong } from './form.tsx'

/** Has news mailed to the guest, once they have confirmed the address, or ends that. */
export function MailDialog({ guest, onClose }: { guest: GuestVisit['guest']; onClose: () => void }) {
  const { t } = useLingui()
  const [text, setText] = useState(guest.emailToConfirm ?? guest.email ?? '')
  const { busy, wrong, setWrong, send } = useSending()
  const [field, said] = [useId(), useId()]
  const put = (email: string | null) =>
    send(async () => queryClient.setQueryData(['visit'], await callAsGuest('PUT /visit/email', { body: { email } })))
  const submit = () => {
    if (text.trim() === '') setWrong(t`Enter your email address.`)
    else void put(text.trim())
  }
  return (
    <Dialog title={t`News by mail`} onClose={onClose}>
      <Form onSubmit={submit}>
        <p id={said}>
          <Trans>A mail when a post needs your answer, with a link that opens it at once.</Trans>
        </p>
        {guest.email && (
          <p>
            <Trans>
              Mails go to <bdi>{guest.email}</bdi>.
            </Trans>
          </p>
        )}
        {guest.emailToConfirm && (
          <p role="status">
            <Trans>
              We sent a mail to <bdi>{guest.emailToConfirm}</bdi>. Follow the link in it to confirm the address.
            </Trans>
          </p>
        )}
        <label htmlFor={field}>
          <Trans>Email address</Trans>
        </label>
        <input
          id={field}
          type="email"
          className={classes.field}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          autoComplete="email"
          aria-invalid={wrong !== null}
          aria-describedby={said}
        />
        <Wrong>{wrong}</Wrong>
        <p className={classes.buttons}>
          <button type="submit" className={classes.primary} disabled={busy}>
            <Trans>Send the link</Trans>
          </button>
          {guest.email && (
            <button type="button" className={classes.button} disabled={busy} onClick={() => void put(null)}>
              <Trans>Stop news</Trans>
            </button>
          )}
          <button type="button" className={classes.button} onClick={onClose}>
            <Trans>Close</Trans>
          </button>
        </p>
      </Form>
    </Dialog>
  )
}
