import { Avatar, Menu, Text } from '@mantine/core'
import { IconKeyboard, IconLogout, IconSwitchHorizontal, IconUser } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import { dashboardPath } from '../api/base.ts'
import { api } from '../api/client.ts'
import { signOut, useSession } from '../api/session.ts'
import { showError } from '../design/toast.tsx'
import { clearUndo } from '../design/undo-stack.ts'

/** The words of roles, as in the settings of the team. */
const ROLE_NAMES = { owner: 'Owner', admin: 'Admin', editor: 'Editor', author: 'Author', reviewer: 'Reviewer' } as const

interface AccountMenuProps {
  /** The button that opens it; gets the handlers. */
  target: ReactElement
  onShortcuts: () => void
}

/** Who is signed in, on which account, and what belongs to that: profile, other accounts, signing out. */
export function AccountMenu({ target, onShortcuts }: AccountMenuProps) {
  const { user, account, accounts, role, preferences } = useSession()
  const navigate = useNavigate()

  const leave = async () => {
    try {
      await signOut()
      // Nothing of the member may stay on the page, and nothing on it asks for more.
      window.location.assign(`${dashboardPath}/sign-in`)
    } catch (error) {
      showError(error)
    }
  }
  const switchTo = async (accountId: string) => {
    try {
      await api.put('/session/account', { accountId })
      clearUndo()
      // Nothing of the other account may stay on the page, nor in its address.
      window.location.assign(dashboardPath)
    } catch (error) {
      showError(error)
    }
  }
  return (
    <Menu position="top-start" width={260} withinPortal>
      <Menu.Target>{target}</Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Text size="sm" fw={600} c="var(--mantine-color-text)">
            {user.name || user.email}
          </Text>
          <Text size="xs">
            {ROLE_NAMES[role]} of {account.name}
          </Text>
        </Menu.Label>
        <Menu.Divider />
        <Menu.Item
          leftSection={<IconUser size={16} aria-hidden />}
          onClick={() => void navigate({ to: '/settings/profile' })}
        >
          Profile
        </Menu.Item>
        {preferences.shortcuts && (
          <Menu.Item leftSection={<IconKeyboard size={16} aria-hidden />} onClick={onShortcuts}>
            Keyboard shortcuts
          </Menu.Item>
        )}
        {accounts
          .filter(({ id }) => id !== account.id)
          .map(({ id, name }) => (
            <Menu.Item
              key={id}
              leftSection={<IconSwitchHorizontal size={16} aria-hidden />}
              onClick={() => void switchTo(id)}
            >
              Switch to {name}
            </Menu.Item>
          ))}
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} aria-hidden />} onClick={() => void leave()}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

/** The initials of who is signed in. */
export function MemberAvatar({ size }: { size: number }) {
  const { user } = useSession()
  return (
    <Avatar size={size} radius="xl" color="indigo" aria-hidden>
      {initialsOf(user.name || user.email)}
    </Avatar>
  )
}

function initialsOf(name: string): string {
  const words = name.split(/[\s@.]+/).filter(Boolean)
  return words
    .slice(0, 2)
    .map((word) => [...word][0]?.toUpperCase() ?? '')
    .join('')
}
