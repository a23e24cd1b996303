import { Chip, Group, Text } from '@mantine/core'
import type { AccountType, NetworkDescription, SocialSet } from '#contract'
import { useMay } from '../api/session.ts'
import { NetworkIcon, networkName } from '../design/network-icon.tsx'
import { RouterButton } from '../shell/links.tsx'
import { type Draft, newPost } from './draft.ts'

interface AccountChipsProps {
  socialSet: SocialSet
  networks: readonly NetworkDescription[]
  draft: Draft
  onChange: (posts: Draft['posts']) => void
}

/** Which accounts the set posts to. One that must be connected again can be chosen for a draft, and says so. */
export function AccountChips({ socialSet, networks, draft, onChange }: AccountChipsProps) {
  const may = useMay('connections:manage')
  const chosen = draft.posts.map(({ accountType }) => accountType)
  const connected = socialSet.accounts.map(({ type }) => type)
  // A post for an account that is gone stays until somebody takes it out.
  const gone = chosen.filter((accountType) => !connected.includes(accountType))
  const toggle = (accountType: AccountType, on: boolean) => {
    const network = networks.find((each) => each.accountType === accountType)
    if (on && network) onChange([...draft.posts, newPost(network)])
    else onChange(draft.posts.filter((post) => post.accountType !== accountType))
  }
  return (
    <fieldset style={{ border: 0, padding: 0, margin: 0 }}>
      <Text component="legend" size="sm" fw={600} mb={4}>
        Post to
      </Text>
      {socialSet.accounts.length === 0 && (
        <Group gap="sm">
          <Text size="sm">
            {may ? 'No account is connected yet.' : 'No account is connected yet. An admin can connect one.'}
          </Text>
          {may && (
            <RouterButton to="/connections" search={{ set: socialSet.id }} size="compact-sm" variant="default">
              Connect an account
            </RouterButton>
          )}
        </Group>
      )}
      <Group gap="xs">
        {socialSet.accounts.map(({ id, type, name, status }) => (
          <AccountChip
            key={id}
            accountType={type}
            checked={chosen.includes(type)}
            name={name}
            trouble={status === 'RECONNECT_REQUIRED' ? 'renew' : null}
            onChange={(on) => toggle(type, on)}
          />
        ))}
        {[...new Set(gone)].map((accountType) => (
          <AccountChip
            key={accountType}
            accountType={accountType}
            checked
            name="Not connected any more"
            trouble="gone"
            onChange={() => toggle(accountType, false)}
          />
        ))}
      </Group>
    </fieldset>
  )
}

interface AccountChipProps {
  accountType: AccountType
  checked: boolean
  /** Of the connected account. */
  name: string
  /** What keeps posts from going out there. */
  trouble: 'renew' | 'gone' | null
  onChange: (on: boolean) => void
}

function AccountChip({ accountType, checked, name, trouble, onChange }: AccountChipProps) {
  return (
    <Chip checked={checked} onChange={onChange} variant="outline" size="sm" title={name}>
      <Group component="span" gap={6} wrap="nowrap" display="inline-flex" style={{ verticalAlign: 'middle' }}>
        <NetworkIcon accountType={accountType} size={16} decorative />
        <span>{networkName(accountType)}</span>
        {trouble && (
          <Text span size="xs" c="var(--mantine-color-error)">
            ({trouble})
          </Text>
        )}
      </Group>
    </Chip>
  )
}
