import { NavLink, Stack, Text, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { IconCalendar, IconChevronUp, IconPlugConnected, IconSettings } from '@tabler/icons-react'
import { useLocation } from '@tanstack/react-router'
import { useSession } from '../api/session.ts'
import { AccountMenu, MemberAvatar } from './account-menu.tsx'
import { ConnectionsBadge } from './connections-banner.tsx'
import { RouterNavLink } from './links.tsx'
import classes from './navigation.module.css'
import { SocialSetSwitcher } from './social-set-switcher.tsx'

const ENTRIES = [
  {
    to: '/scheduling/calendar/$view',
    params: { view: 'month' },
    below: '/scheduling',
    label: 'Calendar',
    Icon: IconCalendar,
  },
  { to: '/connections', params: {}, below: '/connections', label: 'Connections', Icon: IconPlugConnected },
  { to: '/settings', params: {}, below: '/settings', label: 'Settings', Icon: IconSettings },
] as const

interface NavigationProps {
  onShortcuts: () => void
}

/** The rail at the left of wide screens. */
export function Rail({ onShortcuts }: NavigationProps) {
  const isHere = useIsHere()
  const { user, account } = useSession()
  return (
    <Stack h="100%" gap="sm">
      <SocialSetSwitcher />
      <div>
        {ENTRIES.map(({ to, params, below, label, Icon }) => (
          <RouterNavLink
            key={to}
            to={to}
            params={params}
            label={label}
            leftSection={<Icon size={20} aria-hidden />}
            rightSection={below === '/connections' && <ConnectionsBadge />}
            active={isHere(below)}
            aria-current={isHere(below) ? 'page' : undefined}
            className={classes.entry}
          />
        ))}
      </div>
      <AccountMenu
        onShortcuts={onShortcuts}
        target={
          <NavLink
            component="button"
            mt="auto"
            className={classes.entry}
            label={
              <>
                <VisuallyHidden>Account </VisuallyHidden>
                {user.name || user.email}
              </>
            }
            description={account.name}
            leftSection={<MemberAvatar size={32} />}
            rightSection={<IconChevronUp size={16} aria-hidden />}
          />
        }
      />
    </Stack>
  )
}

/** The bar at the bottom of narrow screens. */
export function BottomBar({ onShortcuts }: NavigationProps) {
  const isHere = useIsHere()
  return (
    <div className={classes.bar}>
      {ENTRIES.map(({ to, params, below, label, Icon }) => (
        <RouterNavLink
          key={to}
          to={to}
          params={params}
          className={classes.tab}
          active={isHere(below)}
          aria-current={isHere(below) ? 'page' : undefined}
          label={
            <span className={classes.tabContent}>
              <span className={classes.tabIcon}>
                <Icon size={22} aria-hidden />
                {below === '/connections' && <ConnectionsBadge />}
              </span>
              <Text size="xs">{label}</Text>
            </span>
          }
        />
      ))}
      <AccountMenu
        onShortcuts={onShortcuts}
        target={
          <UnstyledButton className={classes.tab}>
            <span className={classes.tabContent}>
              <MemberAvatar size={24} />
              <Text size="xs">Account</Text>
            </span>
          </UnstyledButton>
        }
      />
    </div>
  )
}

function useIsHere(): (below: string) => boolean {
  const { pathname } = useLocation()
  return (below) => pathname === below || pathname.startsWith(`${below}/`)
}
