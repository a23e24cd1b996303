import '../design/more-styles.ts'
import { i18n } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { Container, Flex, NativeSelect, Stack } from '@mantine/core'
import { Outlet, useLocation, useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useSession } from '../api/session.ts'
import { RouterNavLink } from '../frame/links.tsx'
import { useIsWide } from '../frame/use-is-wide.ts'

const SECTIONS = [
  { to: '/settings/profile', label: msg`Profile` },
  { to: '/settings/security', label: msg`Security` },
  { to: '/settings/notifications', label: msg`Notifications` },
  { to: '/settings/social-sets', label: msg`Brands` },
  { to: '/settings/calendars', label: msg`Calendars` },
  { to: '/settings/shared-calendars', label: msg`Shared calendars` },
  { to: '/settings/labels', label: msg`Labels` },
  { to: '/settings/team', label: msg`Team` },
  { to: '/settings/plan', label: msg`Plan and usage` },
  // For operators of the installation, beside any role in the account.
  { to: '/settings/network-apps', label: msg`Network apps`, ofOperators: true },
  { to: '/settings/api-keys', label: msg`API keys` },
  { to: '/settings/webhooks', label: msg`Webhooks` },
] as const

function useSections() {
  const { operator } = useSession()
  return SECTIONS.filter((section) => operator || !('ofOperators' in section))
}

/** The sections of the settings beside the one that is open: a list, on narrow screens a select. */
export function SettingsLayout(): ReactNode {
  const wide = useIsWide()
  return (
    <Flex direction={wide ? 'row' : 'column'} align={wide ? 'flex-start' : 'stretch'} gap={wide ? 'xl' : 'md'}>
      {wide ? <SectionList /> : <SectionSelect />}
      {/* One width for all of them. One place for both: a phone that is turned keeps what is open in a section, such as a new key. */}
      <Container size="md" px={0} mx={0} flex={wide ? 1 : 'none'} miw={0}>
        <Outlet />
      </Container>
    </Flex>
  )
}

function SectionList() {
  const sections = useSections()
  return (
    <nav aria-label={t`Settings`}>
      <Stack gap={2} w={180}>
        {sections.map(({ to, label }) => (
          <RouterNavLink key={to} to={to} label={i18n._(label)} bdrs="md" activeProps={{ active: true }} />
        ))}
      </Stack>
    </nav>
  )
}

function SectionSelect() {
  const { pathname } = useLocation()
  const navigate = useNavigate()
  const sections = useSections()
  return (
    <nav aria-label={t`Settings`}>
      <NativeSelect
        label={t`Section`}
        data={sections.map(({ to, label }) => ({ value: to, label: i18n._(label) }))}
        value={sections.find(({ to }) => pathname === to || pathname.startsWith(`${to}/`))?.to ?? pathname}
        onChange={(event) => {
          const section = sections.find(({ to }) => to === event.currentTarget.value)
          if (section) void navigate({ to: section.to })
        }}
      />
    </nav>
  )
}
