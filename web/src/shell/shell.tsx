import { AppShell, Group } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { Outlet, useNavigate, useRouter } from '@tanstack/react-router'
import { useEffect, useMemo, useState } from 'react'
import { onSessionEnded } from '../api/client.ts'
import { listenToServer } from '../api/events.ts'
import { forgetSession } from '../api/session.ts'
import { OfflineBanner } from '../design/states.tsx'
import { OVERLAYS_ID, WIDE_FROM_PX } from '../design/theme.ts'
import { undoLast } from '../design/toast.tsx'
import { clearUndo, lastUndo } from '../design/undo-stack.ts'
import { Brand } from './brand.tsx'
import { ConnectionsBanner } from './connections-banner.tsx'
import { BottomBar, Rail } from './navigation.tsx'
import { isTyping, matchesKeys, useShortcuts } from './shortcuts.ts'
import { ShortcutsDialog } from './shortcuts-dialog.tsx'
import { MAIN_ID, SkipLinks } from './skip-links.tsx'
import { SocialSetSwitcher } from './social-set-switcher.tsx'

/** What stands around every screen of a signed-in member. */
export function Shell() {
  const wide = useIsWide()
  const [keysShown, setKeysShown] = useState(false)
  const showKeys = () => setKeysShown(true)
  useLeaveWhenSessionEnds()
  useUndoKey()
  useEffect(listenToServer, [])
  useShortcuts(
    useMemo(() => [{ keys: '?', label: 'Show these keys', group: 'Everywhere', run: () => setKeysShown(true) }], []),
  )
  return (
    <>
      <SkipLinks />
      <AppShell
        padding="md"
        {...(wide
          ? { navbar: { width: 240, breakpoint: 0 } }
          : { header: { height: 56 }, footer: { height: 'calc(60px + env(safe-area-inset-bottom))' } })}
      >
        {wide ? (
          <AppShell.Navbar p="sm" aria-label="Main">
            <Brand />
            <Rail onShortcuts={showKeys} />
          </AppShell.Navbar>
        ) : (
          <AppShell.Header px="sm">
            <Group h="100%" justify="space-between" wrap="nowrap">
              <Brand />
              <SocialSetSwitcher />
            </Group>
          </AppShell.Header>
        )}
        <AppShell.Main id={MAIN_ID} tabIndex={-1}>
          <OfflineBanner />
          <ConnectionsBanner />
          <Outlet />
          <div id={OVERLAYS_ID} />
        </AppShell.Main>
        {!wide && (
          <AppShell.Footer component="nav" aria-label="Main">
            <BottomBar onShortcuts={showKeys} />
          </AppShell.Footer>
        )}
      </AppShell>
      <ShortcutsDialog opened={keysShown} onClose={() => setKeysShown(false)} />
    </>
  )
}

/** Whether the screen has room for the rail: 641 px and more. */
export function useIsWide(): boolean {
  return useMediaQuery(`(min-width: ${WIDE_FROM_PX / 16}em)`, true, { getInitialValueInEffect: false })
}

/** A session ends by a sign-out elsewhere, by its age, or by a member who is removed. */
function useLeaveWhenSessionEnds(): void {
  const navigate = useNavigate()
  const router = useRouter()
  useEffect(
    () =>
      onSessionEnded(() => {
        if (router.state.location.pathname === '/sign-in') return
        const { href } = router.state.location
        clearUndo()
        forgetSession()
        void navigate({ to: '/sign-in', search: { return: href } })
      }),
    [navigate, router],
  )
}

/** Works also for members without shortcuts: it is no key of one letter, and every text field has the same. */
function useUndoKey(): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || !matchesKeys(event, 'Mod+z') || isTyping(event.target) || !lastUndo()) return
      event.preventDefault()
      void undoLast()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
}
