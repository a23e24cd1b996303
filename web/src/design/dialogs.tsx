import './more-styles.ts'
import { Drawer as BaseDrawer, Modal as BaseModal, type DrawerProps, type ModalProps } from '@mantine/core'
import { useEffect, useEffectEvent } from 'react'

/** A dialog in the middle of the page. Of several that are open, Escape closes the topmost alone. */
export function Modal(props: ModalProps) {
  useEscape(props)
  return <BaseModal {...props} closeOnEscape={false} />
}

/** A dialog at an edge of the page. Of several that are open, Escape closes the topmost alone. */
export function Drawer(props: DrawerProps) {
  useEscape(props)
  return <BaseDrawer {...props} closeOnEscape={false} />
}

/** The name of a drawer that has a head of its own. */
export const DrawerTitle = BaseDrawer.Title

/** What Escape does in each dialog that is open, the topmost last. */
const stack: (() => void)[] = []

function useEscape({ opened, onClose, closeOnEscape = true }: ModalProps | DrawerProps): void {
  const onEscape = useEffectEvent(() => {
    if (closeOnEscape) onClose()
  })
  useEffect(() => {
    if (!opened) return
    const own = () => onEscape()
    // Before everything else on the page, as Escape is about the dialog no matter what has the focus in it.
    if (stack.length === 0) window.addEventListener('keydown', onKeyDown, { capture: true })
    stack.push(own)
    return () => {
      stack.splice(stack.indexOf(own), 1)
      if (stack.length === 0) window.removeEventListener('keydown', onKeyDown, { capture: true })
    }
  }, [opened])
}

function onKeyDown(event: KeyboardEvent): void {
  if (event.key !== 'Escape' || event.isComposing) return
  // A menu or list that is open in the dialog is closed by it.
  if (event.target instanceof Element && event.target.closest('[data-mantine-stop-propagation="true"]')) return
  event.preventDefault()
  // A key that is held down closes one dialog, not all.
  if (!event.repeat) stack.at(-1)?.()
}
