import { Button, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { TeamMember } from '#contract'
import { api } from '../api/client.ts'
import { queryClient } from '../api/query-client.ts'
import { queryKeys } from '../api/query-keys.ts'
import { Failure } from '../design/confirm-action.tsx'
import { Modal } from '../design/dialogs.tsx'
import { fieldErrors, restOfError } from '../design/field-errors.ts'
import { showDone } from '../design/toast.tsx'
import { type Access, AccessFields } from './team-access-fields.tsx'
import { rolesQuery, teamChanged } from './team-queries.ts'

/** Asks what a member is to be from now on. Null: closed. */
export function AccessDialog({ member, onClose }: { member: TeamMember | null; onClose: () => void }) {
  // While it fades away, what it said stays.
  const [shown, setShown] = useState(member)
  if (member && member !== shown) setShown(member)
  return (
    <Modal
      opened={member !== null}
      onClose={onClose}
      title={shown ? `Role and access of ${shown.name}` : ''}
      onExitTransitionEnd={() => setShown(null)}
    >
      {shown && <AccessForm key={shown.userId} member={shown} onClose={onClose} />}
    </Modal>
  )
}

function AccessForm({ member, onClose }: { member: TeamMember; onClose: () => void }) {
  const [access, setAccess] = useState<Access>({ role: member.role, socialSetIds: member.socialSetIds })
  const { data: table } = useQuery(rolesQuery)
  const invites = table?.rights.find(({ right }) => right === 'members:manage')?.roles.includes(member.role)
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    setError(null)
    try {
      await api.patch<TeamMember>(`/members/${member.userId}`, access)
      // What one may oneself decides what the pages offer.
      if (member.isYou) await queryClient.invalidateQueries({ queryKey: queryKeys.session })
      await teamChanged()
      showDone(`Saved: ${member.name}`)
      onClose()
    } catch (failure) {
      setError(failure)
    } finally {
      setBusy(false)
    }
  }
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack>
        {member.isYou && (
          <Text size="sm">These are your own rights. With a lesser role you cannot change them back.</Text>
        )}
        <AccessFields value={access} onChange={setAccess} error={fieldErrors(error).socialSetIds} />
        {invites && (
          <Text size="sm" c="dimmed">
            Open invitations that {member.isYou ? 'you' : member.name} could not send with these rights are taken back.
          </Text>
        )}
        <Failure error={restOfError(error, ['socialSetIds'])} />
        <Group justify="flex-end">
          <Button variant="default" disabled={busy} onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={busy}>
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
