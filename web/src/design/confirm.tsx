import { createContext, type ReactNode, use, useCallback, useMemo, useRef, useState } from 'react'
import { lazyWithWords } from '../api/code.ts'
import type { ConfirmActionOptions } from './confirm-action.tsx'
import type { ConfirmPasswordOptions } from './confirm-password.tsx'
import { focusMainIfLost, rememberOpener } from './opener.ts'
import { Part } from './part.tsx'

// Most screens are left without a question.
const ConfirmActionModal = lazyWithWords(() =>
  import('./confirm-action.tsx').then(({ ConfirmActionModal }) => ({ default: ConfirmActionModal })),
)
const ConfirmPasswordModal = lazyWithWords(() =>
  import('./confirm-password.tsx').then(({ ConfirmPasswordModal }) => ({ default: ConfirmPasswordModal })),
)

type Prompt = { kind: 'password'; options: ConfirmPasswordOptions } | { kind: 'action'; options: ConfirmActionOptions }

interface Confirm {
  /** Both answer true when it was done, false when the person turned back. */
  password: (options: ConfirmPasswordOptions) => Promise<boolean>
  action: (options: ConfirmActionOptions) => Promise<boolean>
}

const ConfirmContext = createContext<Confirm | null>(null)

/** The dialogs that ask before something happens. Stands around the app once. */
export function ConfirmProvider({ children }: { children: ReactNode }) {
  const [asked, setAsked] = useState<Prompt | null>(null)
  const [opened, setOpened] = useState(false)
  const [turn, setTurn] = useState(0)
  const settle = useRef<(done: boolean) => void>(() => {})
  const returnFocus = useRef<() => void>(() => {})

  const ask = useCallback((next: Prompt) => {
    settle.current(false)
    returnFocus.current = rememberOpener()
    setAsked(next)
    setTurn((last) => last + 1)
    setOpened(true)
    return new Promise<boolean>((resolve) => {
      settle.current = resolve
    })
  }, [])
  const confirm = useMemo<Confirm>(
    () => ({
      password: (options) => ask({ kind: 'password', options }),
      action: (options) => ask({ kind: 'action', options }),
    }),
    [ask],
  )
  const close = (done: boolean) => {
    setOpened(false)
    settle.current(done)
  }
  // What is asked about often goes, with the button that it was asked by.
  const giveBack = () => {
    returnFocus.current()
    focusMainIfLost()
  }
  const common = { opened, onClose: close, onClosed: giveBack }
  return (
    <ConfirmContext value={confirm}>
      {children}
      <Part>
        {asked?.kind === 'password' && <ConfirmPasswordModal key={turn} {...common} options={asked.options} />}
        {asked?.kind === 'action' && <ConfirmActionModal key={turn} {...common} options={asked.options} />}
      </Part>
    </ConfirmContext>
  )
}

function useConfirm(): Confirm {
  const confirm = use(ConfirmContext)
  if (!confirm) throw new Error('ConfirmProvider does not stand around this component.')
  return confirm
}

/** Asks for the member's password before something dangerous. */
export function useConfirmPassword(): Confirm['password'] {
  return useConfirm().password
}

/** Asks before something that cannot be undone. */
export function useConfirmAction(): Confirm['action'] {
  return useConfirm().action
}
