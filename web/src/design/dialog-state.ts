import { useRef, useState } from 'react'
import { focusMainIfLost, rememberOpener } from './opener.ts'

/** Which dialog of a screen is open, if any. When it closes, the focus goes back to what opened it. */
export function useDialogState<T>(): { asked: T | null; open: (next: T) => void; close: () => void } {
  const [asked, setAsked] = useState<T | null>(null)
  const giveBack = useRef<() => void>(() => {})
  return {
    asked,
    open: (next) => {
      giveBack.current = rememberOpener()
      setAsked(next)
    },
    close: () => {
      setAsked(null)
      // After the dialog is gone: its trap holds the focus until then.
      window.setTimeout(() => {
        giveBack.current()
        focusMainIfLost()
      })
    },
  }
}
