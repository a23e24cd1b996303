import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { IconMailCheck } from '@tabler/icons-react'
import { type FormEvent, useRef, useState } from 'react'
import type { MadeInvitation } from '#contract'
import { api } from '../api/client.ts'
import { useSession } from '../api/session.ts'
import { Failure } from '../design/confirm-action.tsx'
import { CopyField } from '../design/copy-field.tsx'
import { Modal } from '../design/dialogs.tsx'
import { fieldErrors, restOfError } from '../design/field-errors.ts'
import { type Access, AccessFields } from './team-access-fields.tsx'
import { teamChanged } from './team-queries.ts'

/** Asks whom to invite as what, then shows the link. */
export function InviteDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const [made, setMade] = useState<MadeInvitation | null>(null)
  const [turn, setTurn] = useState(0)
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={made ? LINK_TITLE : 'Invite somebody'}
      onExitTransitionEnd={() => {
        setMade(null)
        setTurn((last) => last + 1)
      }}
      {...(made ? STAYS : {})}
    >
      {made ? (
        <LinkShown made={made} onDone={onClose} />
      ) : (
        <InviteForm key={turn} onMade={setMade} onCancel={onClose} />
      )}
    </Modal>
  )
}

const LINK_TITLE = 'Send this link'
/** What is shown this once is not lost by a click beside it. */
const STAYS = { closeOnClickOutside: false, closeOnEscape: false, withCloseButton: false }

function InviteForm({ onMade, onCancel }: { onMade: (made: MadeInvitation) => void; onCancel: () => void }) {
  const { socialSetIds: mine } = useSession()
  const [email, setEmail] = useState('')
  const [access, setAccess] = useState<Access>({ role: 'author', socialSetIds: mine === null ? null : [...mine] })
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const [missing, setMissing] = useState<string | null>(null)
  const emailField = useRef<HTMLInputElement>(null)
  const wrong = fieldErrors(error)

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setError(null)
    if (email.trim() === '') {
      setMissing('Enter the email address of the person.')
      emailField.current?.focus()
      return
    }
    setBusy(true)
    try {
      const made = await api.post<MadeInvitation>('/invitations', { email, ...access })
      await teamChanged()
      onMade(made)
    } catch (failure) {
      setError(failure)
      if (fieldErrors(failure).email) emailField.current?.focus()
    } finally {
      setBusy(false)
    }
  }
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack>
        <TextInput
          ref={emailField}
          label="Email"
          type="email"
          autoComplete="off"
          required
          withAsterisk={false}
          value={email}
          onChange={(event) => {
            setEmail(event.currentTarget.value)
            setMissing(null)
          }}
          error={missing ?? wrong.email}
          data-autofocus
        />
        <AccessFields value={access} onChange={setAccess} error={wrong.socialSetIds} />
        <Failure error={restOfError(error, ['email', 'socialSetIds'])} />
        <Group justify="flex-end">
          <Button variant="default" disabled={busy} onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" loading={busy}>
            Make the invitation
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

/** The new link of an invitation; null: closed. */
export function LinkDialog({ made, onClose }: { made: MadeInvitation | null; onClose: () => void }) {
  // While it fades away, what it said stays.
  const [shown, setShown] = useState(made)
  if (made && made !== shown) setShown(made)
  return (
    <Modal opened={made !== null} onClose={onClose} title={LINK_TITLE} {...STAYS}>
      {shown && <LinkShown made={shown} onDone={onClose} />}
    </Modal>
  )
}

function LinkShown({ made: { link, mailed, invitation }, onDone }: { made: MadeInvitation; onDone: () => void }) {
  return (
    <Stack>
      {mailed && (
        <Alert color="teal" icon={<IconMailCheck aria-hidden />}>
          We are mailing it to {invitation.email} as well.
        </Alert>
      )}
      <Text size="sm">
        Whoever opens this link can become a member as <strong>{invitation.email}</strong>. It works once, within 7
        days. We keep no copy of it: if it gets lost, make a new one.
      </Text>
      <CopyField label="Link of the invitation" value={link} copyLabel="Copy link" focused />
      <Group justify="flex-end">
        <Button onClick={onDone}>{mailed ? 'Done' : 'I sent it'}</Button>
      </Group>
    </Stack>
  )
}
