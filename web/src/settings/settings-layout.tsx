import { Container, Group, NativeSelect, Stack } from '@mantine/core'
import { Outlet, useLocation, useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { RouterNavLink } from '../shell/links.tsx'
import { useIsWide } from '../shell/shell.tsx'

const SECTIONS = [
  { to: '/settings/api-keys', label: 'API keys' },
  { to: '/settings/social-sets', label: 'Social sets' },
  { to: '/settings/labels', label: 'Labels' },
  { to: '/settings/team', label: 'Team' },
  { to: '/settings/plan', label: 'Plan and usage' },
  { to: '/settings/profile', label: 'Profile' },
  { to: '/settings/security', label: 'Security' },
] as const

/** The sections of the settings beside the one that is open: a list, on narrow screens a select. */
export function SettingsLayout(): ReactNode {
  const wide = useIsWide()
  if (!wide) {
    return (
      <Stack gap="md">
        <SectionSelect />
        <Outlet />
      </Stack>
    )
  }
  return (
    <Group align="flex-start" wrap="nowrap" gap="xl">
      <nav aria-label="Settings">
        <Stack gap={2} w={180}>
          {SECTIONS.map(({ to, label }) => (
            <RouterNavLink key={to} to={to} label={label} bdrs="md" activeProps={{ active: true }} />
          ))}
        </Stack>
      </nav>
      <Container size="md" px={0} mx={0} flex={1} miw={0}>
        <Outlet />
      </Container>
    </Group>
  )
}

function SectionSelect() {
  const { pathname } = useLocation()
  const navigate = useNavigate()
  return (
    <nav aria-label="Settings">
      <NativeSelect
        label="Section"
        data={SECTIONS.map(({ to, label }) => ({ value: to, label }))}
        value={pathname}
        onChange={(event) => {
          const section = SECTIONS.find(({ to }) => to === event.currentTarget.value)
          if (section) void navigate({ to: section.to })
        }}
      />
    </nav>
  )
}
