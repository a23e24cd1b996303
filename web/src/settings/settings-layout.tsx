import '../design/more-styles.ts'
import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import { Container, Flex, NativeSelect, Stack } from '@mantine/core'
import { Outlet, useLocation, useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { RouterNavLink } from '../frame/links.tsx'
import { useIsWide } from '../frame/use-is-wide.ts'
import { useSections } from './sections.ts'

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
