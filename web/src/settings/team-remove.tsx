import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Checkbox, Loader, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { ApiKey, TeamMember } from '#contract'
import { call } from '../api/client.ts'
import { queryClient } from '../api/query-client.ts'
import { queryKeys } from '../api/query-keys.ts'
import { useMay } from '../api/session.ts'
import { useConfirmPassword } from '../design/confirm.tsx'
import { showDone } from '../design/toast.tsx'
import { listOf } from '../design/words.ts'
import { apiKeysQuery } from './api-keys-requests.ts'
import { teamChanged } from './team-queries.ts'

/** Asks whether a member is to be removed, and the API keys they created revoked, then does it. */
export function useRemoveMember(): (member: TeamMember) => Promise<void> {
  const confirm = useConfirmPassword()
  const managesKeys = useMay('api-keys:manage')
  return async (member) => {
    let revokeApiKeys = managesKeys
    await confirm({
      title: t`Remove ${member.name}?`,
      children: (hold) => (
        <Stack gap="sm">
          <Text size="sm">
            <Trans>
              {member.name} loses access to this account immediately. Open invitations from {member.name} are revoked.
              Everything {member.name} wrote stays.
            </Trans>
          </Text>
          {managesKeys && (
            <KeysChoice
              member={member}
              onLoading={hold}
              onChange={(revoke) => {
                revokeApiKeys = revoke
              }}
            />
          )}
        </Stack>
      ),
      confirmLabel: t`Remove`,
      danger: true,
      run: async (password) => {
        await call('DELETE /members/:id', { params: { id: member.userId }, body: { password, revokeApiKeys } })
        await Promise.all([
          teamChanged(),
          queryClient.invalidateQueries({ queryKey: queryKeys.apiKeys.all }),
          queryClient.invalidateQueries({ queryKey: queryKeys.plan.all }),
        ])
        showDone(t`${member.name} is no longer a member.`)
      },
    })
  }
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
