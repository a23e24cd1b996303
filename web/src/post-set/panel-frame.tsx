import '../design/more-styles.ts'
import { useLingui } from '@lingui/react/macro'
import { type ReactNode, useEffect, useRef } from 'react'
import { Drawer } from '../design/dialogs.tsx'
import { isTyping, openDialogs } from '../frame/shortcuts.ts'
import { useIsWide } from '../frame/use-is-wide.ts'
import classes from './panel.module.css'

interface PanelFrameProps {
  children: ReactNode
  onClose: () => void
}

/** Beside the calendar, which stays as it is; on a narrow screen over all of it. */
export function PanelFrame({ children, onClose }: PanelFrameProps) {
  const { t } = useLingui()
  const wide = useIsWide()
  if (wide) return <SidePanel onClose={onClose}>{children}</SidePanel>
  return (
    <Drawer
      opened
      data-undo
      onClose={onClose}
      position="right"
      size="100%"
      withCloseButton={false}
      padding={0}
      attributes={{ content: { 'aria-label': t`Post` } }}
      classNames={{ body: classes.drawerBody }}
    >
      {children}
    </Drawer>
  )
}

function SidePanel({ children, onClose }: PanelFrameProps) {
  const { t } = useLingui()
  const panel = useRef<HTMLElement>(null)
  useEffect(() => panel.current?.focus(), [])
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const { target, key } = event
      if (key !== 'Escape' || event.defaultPrevented || event.isComposing || openDialogs().length > 0) return
      if (!(target instanceof Element) || target.closest('[role="menu"], [role="listbox"]')) return
      // In a field beside the panel, Escape is about the field.
      if (isTyping(target) && !panel.current?.contains(target)) return
      event.preventDefault()
      onClose()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [onClose])
  return (
    <section
      ref={panel}
      className={classes.panel}
      role="dialog"
      aria-label={t`Post`}
      tabIndex={-1}
      data-undo
      data-post-panel
    >
      {children}
    </section>
  )
}
