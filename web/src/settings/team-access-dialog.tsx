import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { MemberLinkEnd, TeamMember } from '#contract'
import { change } from '../api/change.ts'
import { Failure } from '../design/confirm-action.tsx'
import { Modal } from '../design/dialogs.tsx'
import { Form, FormButtons, useForm } from '../design/form.tsx'
import { showDone } from '../design/toast.tsx'
import { MemberLinks, useShowNewAddresses } from './member-links.tsx'
import { type Access, AccessFields } from './team-access-fields.tsx'
import { rolesQuery } from './team-queries.ts'

/** Asks what a member is to be from now on. Null: closed. */
export function AccessDialog({ member, onClose }: { member: TeamMember | null; onClose: () => void }) {
  // While it fades away, what it said stays.
  const [shown, setShown] = useState(member)
  if (member && member !== shown) setShown(member)
  return (
    <Modal
      opened={member !== null}
      onClose={onClose}
      title={shown ? t`Role and access of ${shown.name}` : ''}
      onExitTransitionEnd={() => setShown(null)}
    >
      {shown && <AccessForm key={shown.userId} member={shown} onClose={onClose} />}
    </Modal>
  )
}

function AccessForm({ member, onClose }: { member: TeamMember; onClose: () => void }) {
  const { data: table } = useQuery(rolesQuery)
  const invites = table?.rights.find(({ right }) => right === 'members:manage')?.roles.includes(member.role)
  const [links, setLinks] = useState<MemberLinkEnd[]>([])
  const [missing, setMissing] = useState(true)
  const showNewAddresses = useShowNewAddresses()
  const initial: Access = { role: member.role, socialSetIds: member.socialSetIds }
  const form = useForm({
    initial,
    async send(access) {
      const body = { ...access, links }
      const { newAddresses } = await change('PATCH /members/:id', { params: { id: member.userId }, body })
      showDone(t`Saved: ${member.name}`)
      onClose()
      await showNewAddresses(newAddresses)
    },
  })
  const { role, socialSetIds } = form.values
  return (
    <Form form={form}>
      {member.isYou && (
        <Text size="sm">
          <Trans>These are your own rights. With fewer rights you cannot undo this.</Trans>
        </Text>
      )}
      <AccessFields form={form} />
      <MemberLinks member={member} access={{ role, socialSetIds }} onMissing={setMissing} onChange={setLinks} />
      {invites && (
        <Text size="sm" c="dimmed">
          {member.isYou
            ? t`Open invitations that you could not send with these rights are withdrawn.`
            : t`Open invitations that ${member.name} could not send with these rights are withdrawn.`}
        </Text>
      )}
      <Failure error={form.rest} />
      <FormButtons form={form} submit={t`Save`} disabled={missing} onCancel={onClose} />
    </Form>
  )
}
