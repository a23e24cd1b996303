import { i18n, type MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Avatar, Menu, Text } from '@mantine/core'
import { IconKeyboard, IconLogout, IconSwitchHorizontal, IconUser, type TablerIcon } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import type { ReactElement, ReactNode } from 'react'
import { dashboardPath } from '../api/base.ts'
import { call } from '../api/client.ts'
import { signOut, useSession } from '../api/session.ts'
import { showError } from '../design/toast.tsx'
import { clearUndo } from '../design/undo-stack.ts'
import { translated } from '../language/translated.ts'
import classes from './navigation.module.css'

/** The words of roles, as in the settings of the team. */
const ROLE_NAMES = translated({
  owner: msg`Owner`,
  admin: msg`Admin`,
  editor: msg`Editor`,
  author: msg`Author`,
  reviewer: msg`Reviewer`,
})

interface MenuEntry {
  to: '/media' | '/results' | '/connections' | '/settings'
  label: MessageDescriptor
  Icon: TablerIcon
  /** How much of it waits for the member. */
  badge?: ReactNode
}

interface AccountMenuProps {
  /** The button that opens it; gets the handlers. */
  target: ReactElement
  onShortcuts: () => void
  /** Screens that have no place elsewhere. */
  more?: readonly MenuEntry[]
}

/** Who is signed in, on which account, and what belongs to that: profile, other accounts, signing out. */
export function AccountMenu({ target, onShortcuts, more = [] }: AccountMenuProps) {
  const { user, account, accounts, role, preferences } = useSession()
  const roleName = ROLE_NAMES[role]
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
      await call('PUT /session/account', { body: { accountId } })
      clearUndo()
      // Nothing of the other account may stay on the page, nor in its address.
      window.location.assign(dashboardPath)
    } catch (error) {
      showError(error)
    }
  }
  return (
    <Menu position="right-end" width={260} withinPortal>
      <Menu.Target>{target}</Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Text size="sm" fw={600} c="var(--mantine-color-text)">
            {user.name || user.email}
          </Text>
          <Text size="xs">
            {roleName} · {account.name}
          </Text>
        </Menu.Label>
        <Menu.Divider />
        {more.map(({ to, label, Icon, badge }) => (
          <Menu.Item
            key={to}
            leftSection={<Icon size={16} aria-hidden />}
            rightSection={badge}
            onClick={() => void navigate({ to })}
          >
            {i18n._(label)}
          </Menu.Item>
        ))}
        <Menu.Item
          leftSection={<IconUser size={16} aria-hidden />}
          onClick={() => void navigate({ to: '/settings/profile' })}
        >
          <Trans>Profile</Trans>
        </Menu.Item>
        {preferences.shortcuts && (
          <Menu.Item leftSection={<IconKeyboard size={16} aria-hidden />} onClick={onShortcuts}>
            <Trans>Keyboard shortcuts</Trans>
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
              <Trans>Switch to {name}</Trans>
            </Menu.Item>
          ))}
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} aria-hidden />} onClick={() => void leave()}>
          <Trans>Sign out</Trans>
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

/** The initials of who is signed in. */
export function MemberAvatar({ size }: { size: number }) {
  const { user } = useSession()
  return (
    <Avatar size={size} radius="xl" color="gray" className={classes.face} aria-hidden>
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
