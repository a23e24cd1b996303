import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { IconMailCheck } from '@tabler/icons-react'
import { useState } from 'react'
import type { MadeInvitation } from '#contract'
import { change } from '../api/change.ts'
import { useSession } from '../api/session.ts'
import { Failure } from '../design/confirm-action.tsx'
import { CopyField } from '../design/copy-field.tsx'
import { Modal } from '../design/dialogs.tsx'
import { Form, FormButtons, filled, useForm } from '../design/form.tsx'
import { type Access, AccessFields } from './team-access-fields.tsx'

/** Asks whom to invite as what, then shows the link. */
export function InviteDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const [made, setMade] = useState<MadeInvitation | null>(null)
  const [turn, setTurn] = useState(0)
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={made ? linkTitle() : t`Invite a member`}
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

const linkTitle = () => t`Send this link`
/** What is shown this once is not lost by a click beside it. */
const STAYS = { closeOnClickOutside: false, closeOnEscape: false, withCloseButton: false }

function InviteForm({ onMade, onCancel }: { onMade: (made: MadeInvitation) => void; onCancel: () => void }) {
  const { socialSetIds: mine } = useSession()
  const initial: Access & { email: string } = {
    email: '',
    role: 'author',
    socialSetIds: mine === null ? null : [...mine],
  }
  const form = useForm({
    initial,
    check: { email: filled(t`Enter the email address of the person.`) },
    async send(body) {
      onMade(await change('POST /invitations', { body }))
    },
  })
  return (
    <Form form={form}>
      <TextInput label={t`Email`} type="email" autoComplete="off" data-autofocus {...form.text('email')} />
      <AccessFields form={form} />
      <Failure error={form.rest} />
      <FormButtons form={form} submit={t`Create invitation`} onCancel={onCancel} />
    </Form>
  )
}

/** The new link of an invitation; null: closed. */
export function LinkDialog({ made, onClose }: { made: MadeInvitation | null; onClose: () => void }) {
  // While it fades away, what it said stays.
  const [shown, setShown] = useState(made)
  if (made && made !== shown) setShown(made)
  return (
    <Modal opened={made !== null} onClose={onClose} title={linkTitle()} {...STAYS}>
      {shown && <LinkShown made={shown} onDone={onClose} />}
    </Modal>
  )
}

function LinkShown({ made: { link, mailed, invitation }, onDone }: { made: MadeInvitation; onDone: () => void }) {
  return (
    <Stack>
      {mailed && (
        <Alert color="teal" icon={<IconMailCheck aria-hidden />}>
          <Trans>We are mailing it to {invitation.email} as well.</Trans>
        </Alert>
      )}
      <Text size="sm">
        <Trans>
          Anyone who opens this link can become a member as <strong>{invitation.email}</strong>. It works once, within 7
          days. We keep no copy: if it gets lost, create a new one.
        </Trans>
      </Text>
      <CopyField label={t`Invitation link`} value={link} copyLabel={t`Copy link`} focused />
      <Group justify="flex-end">
        <Button onClick={onDone}>{t`Done`}</Button>
      </Group>
    </Stack>
  )
}
