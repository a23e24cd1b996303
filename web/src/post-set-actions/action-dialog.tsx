import type { ReactNode } from 'react'
import { Drawer, Modal } from '../design/dialogs.tsx'
import { useIsWide } from '../frame/use-is-wide.ts'

interface ActionDialogProps {
  title: string
  onClose: () => void
  children: ReactNode
}

/** A dialog of an action: in the middle of a wide screen, a sheet at the bottom of a narrow one. */
export function ActionDialog({ title, onClose, children }: ActionDialogProps) {
  const wide = useIsWide()
  const common = { opened: true, onClose, title, returnFocus: false, transitionProps: { duration: 0 } }
  if (wide)
    return (
      <Modal {...common} centered>
        {children}
      </Modal>
    )
  return (
    <Drawer {...common} position="bottom" size="auto">
      {children}
    </Drawer>
  )
}
