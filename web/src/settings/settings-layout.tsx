import '../design/more-styles.ts'
import { Container, Flex, NativeSelect, Stack } from '@mantine/core'
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
  return (
    <Flex direction={wide ? 'row' : 'column'} align={wide ? 'flex-start' : 'stretch'} gap={wide ? 'xl' : 'md'}>
      {wide ? <SectionList /> : <SectionSelect />}
      {/* One place for both: a phone that is turned keeps what is open in a section, such as a new key. */}
      <Container size="md" px={0} mx={0} flex={wide ? 1 : 'none'} miw={0}>
        <Outlet />
      </Container>
    </Flex>
  )
}

function SectionList() {
  return (
    <nav aria-label="Settings">
      <Stack gap={2} w={180}>
        {SECTIONS.map(({ to, label }) => (
          <RouterNavLink key={to} to={to} label={label} bdrs="md" activeProps={{ active: true }} />
        ))}
      </Stack>
    </nav>
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
