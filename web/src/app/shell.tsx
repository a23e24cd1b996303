import { t } from '@lingui/core/macro'
import { Outlet, useNavigate, useRouter } from '@tanstack/react-router'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { onSessionEnded } from '../api/client.ts'
import { lazyWithWords } from '../api/code.ts'
import { listenToServer } from '../api/events.ts'
import { forgetSession } from '../api/session.ts'
import { Part } from '../design/part.tsx'
import { OVERLAYS_ID } from '../design/theme.ts'
import { undoLast } from '../design/toast.tsx'
import { clearUndo, mayUndo } from '../design/undo-stack.ts'
import { UnseenInTitle } from '../failures/unseen-badge.tsx'
import { matchesKeys } from '../frame/keys.ts'
import { isTyping, openDialogs, useShortcuts } from '../frame/shortcuts.ts'
import { MAIN_ID, SkipLinks } from '../frame/skip-links.tsx'
import { useIsWide } from '../frame/use-is-wide.ts'
import { TrayPlace } from '../uploads/tray-place.tsx'
import { UploadTrayPlace } from '../uploads/upload-tray-place.tsx'
import { BrandHead, BrandInTitle } from './brand-head.tsx'
import { Bell, BottomBar, Rail } from './navigation.tsx'
import { Notices } from './notices.tsx'
import classes from './shell.module.css'
import { SocialSetSwitcher } from './social-set-switcher.tsx'

const Palette = lazyWithWords(() => import('./palette.tsx').then(({ Palette }) => ({ default: Palette })))
const ShortcutsDialog = lazyWithWords(() =>
  import('./shortcuts-dialog.tsx').then(({ ShortcutsDialog }) => ({ default: ShortcutsDialog })),
)

/** What stands around every screen of a signed-in member. */
export function Shell() {
  const wide = useIsWide()
  const [keysShown, setKeysShown] = useState(false)
  const [keysAsked, setKeysAsked] = useState(false)
  const showKeys = useCallback(() => {
    setKeysAsked(true)
    setKeysShown(true)
  }, [])
  useLeaveWhenSessionEnds()
  useUndoKey()
  const [going, setGoing] = useState(false)
  useGoKey(setGoing)
  useEffect(listenToServer, [])
  useShortcuts(
    useMemo(() => [{ keys: '?', label: t`Show keyboard shortcuts`, group: t`Everywhere`, run: showKeys }], [showKeys]),
  )
  return (
    <>
      <SkipLinks />
      <UnseenInTitle />
      <BrandInTitle />
      <div className={wide ? classes.wide : classes.narrow}>
        {wide ? (
          <nav className={classes.rail} aria-label={t`Main`}>
            <Rail onShortcuts={showKeys} />
          </nav>
        ) : (
          <header className={classes.header}>
            <SocialSetSwitcher />
            <Bell corner />
          </header>
        )}
        <main className={classes.main} id={MAIN_ID} tabIndex={-1}>
          {wide ? (
            <div className={classes.head}>
              <BrandHead />
              <TrayPlace />
              <Notices />
            </div>
          ) : (
            <Notices small />
          )}
          <Outlet />
          <UploadTrayPlace />
          <div id={OVERLAYS_ID} />
        </main>
        {!wide && (
          <nav className={classes.footer} aria-label={t`Main`}>
            <BottomBar onShortcuts={showKeys} />
          </nav>
        )}
      </div>
      {going && (
        <Part>
          <Palette onClose={() => setGoing(false)} />
        </Part>
      )}
      {keysAsked && (
        <Part>
          <ShortcutsDialog opened={keysShown} onClose={() => setKeysShown(false)} />
        </Part>
      )}
    </>
  )
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
        void navigate({ to: '/sign-in', search: { return: href, ended: 'yes' } })
      }),
    [navigate, router],
  )
}

/** Works also for members without shortcuts, and in fields: it is no key of one letter. Over a dialog it would lead away from it. */
function useGoKey(setGoing: (going: boolean) => void): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || !matchesKeys(event, 'Mod+k') || openDialogs().length > 0) return
      event.preventDefault()
      setGoing(true)
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [setGoing])
}

/**
 * Works also for members without shortcuts: it is no key of one letter, and every text field has the same. Over a dialog
 * it would undo what is out of sight; those that do things to post sets themselves say so with `data-undo`.
 */
function useUndoKey(): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || !matchesKeys(event, 'Mod+z') || isTyping(event.target) || !mayUndo()) return
      if (!openDialogs().every((dialog) => dialog.closest('[data-undo]'))) return
      event.preventDefault()
      void undoLast()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
}
