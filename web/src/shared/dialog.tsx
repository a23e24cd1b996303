import { type ReactNode, useId, useLayoutEffect, useRef } from 'react'
import classes from './controls.module.css'

interface DialogProps {
  title: string
  onClose: () => void
  children: ReactNode
}

/** A dialog over the page. Escape closes it; the focus goes back to where it was, or to the page when that is gone. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null)
  const heading = useId()
  useLayoutEffect(() => {
    const dialog = ref.current
    dialog?.showModal()
    return () => {
      dialog?.close()
      window.requestAnimationFrame(focusPageIfLost)
    }
  }, [])
  return (
    <dialog
      ref={ref}
      className={classes.dialog}
      aria-labelledby={heading}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
    >
      <h2 id={heading}>{title}</h2>
      {children}
    </dialog>
  )
}

/** After what had the focus has gone from the page. */
export function focusPageIfLost(): void {
  const { activeElement, body } = document
  if (activeElement === null || activeElement === body) document.querySelector('main')?.focus({ preventScroll: true })
}
