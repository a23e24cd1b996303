import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Checkbox, Loader, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useState } from 'react'
import type { ApiKey, MemberLinkEnd, NewAddress, TeamMember } from '#contract'
import { change } from '../api/change.ts'
import { useMay } from '../api/session.ts'
import { useConfirmPassword } from '../design/confirm.tsx'
import { showDone } from '../design/toast.tsx'
import { listOf } from '../design/words.ts'
import { apiKeysQuery } from './api-keys-requests.ts'
import { MemberLinks, useShowNewAddresses } from './member-links.tsx'

/** Asks whether a member is to be removed, and what they could still get in by ended, then does it. */
export function useRemoveMember(): (member: TeamMember) => Promise<void> {
  const confirm = useConfirmPassword()
  const managesKeys = useMay('api-keys:manage')
  const showNewAddresses = useShowNewAddresses()
  return async (member) => {
    let revokeApiKeys = managesKeys
    let links: MemberLinkEnd[] = []
    let newAddresses: NewAddress[] = []
    const removed = await confirm({
      title: t`Remove ${member.name}?`,
      children: (hold) => (
        <Removal
          member={member}
          managesKeys={managesKeys}
          hold={hold}
          onKeys={(revoke) => {
            revokeApiKeys = revoke
          }}
          onLinks={(wanted) => {
            links = wanted
          }}
        />
      ),
      confirmLabel: t`Remove`,
      danger: true,
      run: async (password) => {
        const body = { password, revokeApiKeys, links }
        newAddresses = (await change('DELETE /members/:id', { params: { id: member.userId }, body })).newAddresses
        showDone(t`${member.name} is no longer a member.`)
      },
    })
    if (removed) await showNewAddresses(newAddresses)
  }
}

interface RemovalProps {
  member: TeamMember
  managesKeys: boolean
  hold: (held: boolean) => void
  onKeys: (revoke: boolean) => void
  onLinks: (links: MemberLinkEnd[]) => void
}

/** What ends with a member, and what is asked about. */
function Removal({ member, managesKeys, hold, onKeys, onLinks }: RemovalProps) {
  const [missing, setMissing] = useState({ links: true, keys: managesKeys })
  const onLinksMissing = useCallback((links: boolean) => setMissing((before) => ({ ...before, links })), [])
  const onKeysLoading = useCallback((keys: boolean) => setMissing((before) => ({ ...before, keys })), [])
  const held = missing.links || missing.keys
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is another function each time
  useEffect(() => hold(held), [held])
  return (
    <Stack gap="sm">
      <Text size="sm">
        <Trans>
          {member.name} loses access to this account immediately. Open invitations from {member.name} are revoked, and
          their previews of shared calendars end. Everything {member.name} wrote stays.
        </Trans>
      </Text>
      <MemberLinks member={member} access={null} onMissing={onLinksMissing} onChange={onLinks} />
      {managesKeys && <KeysChoice member={member} onLoading={onKeysLoading} onChange={onKeys} />}
    </Stack>
  )
}

/** Whether to revoke the keys: yes, unless the person unticks it. Nothing is asked about a member who created none. */
function KeysChoice({
  member,
  onLoading,
  onChange,
}: {
  member: TeamMember
  /** Hears whether the list of keys is loading. */
  onLoading: (loading: boolean) => void
  onChange: (revoke: boolean) => void
}) {
  const { data, isPending } = useQuery(apiKeysQuery)
  const [revoke, setRevoke] = useState(true)
  useEffect(() => onLoading(isPending), [isPending, onLoading])
  const keys = data?.data.filter(({ creatorId, state }) => creatorId === member.userId && state !== 'REVOKED')
  if (isPending) return <Loader size="sm" aria-label={t`Loading the API keys`} />
  if (keys?.length === 0) return null
  return (
    <Checkbox
      label={
        keys
          ? plural(keys.length, {
              one: 'Revoke the API key they created',
              other: 'Revoke the # API keys they created',
            })
          : t`Revoke the API keys they created`
      }
      description={keys ? t`${listOf(keys.map(nameOf))}. ${effect()}` : effect()}
      checked={revoke}
      onChange={(event) => {
        onChange(event.currentTarget.checked)
        setRevoke(event.currentTarget.checked)
      }}
    />
  )
}

const effect = () => t`Programs that use a revoked key stop working. This cannot be undone.`

const nameOf = ({ name, state }: ApiKey) =>
  state === 'ACTIVE' ? name : state === 'DISABLED' ? t`${name} (disabled)` : t`${name} (expired)`
