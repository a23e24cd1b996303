import { UnstyledButton } from '@mantine/core'
import type { ReactNode } from 'react'
import { lazyWithWords } from '../api/code.ts'
import { useDialogState } from '../design/dialog-state.ts'
import { Part } from '../design/part.tsx'

// The calendar is there before anyone asks for news.
const NewsDrawer = lazyWithWords(() => import('./news-drawer.tsx').then(({ NewsDrawer }) => ({ default: NewsDrawer })))

/** The bell: a button, as its place draws it, that opens the news. */
export function NewsButton({ className, children }: { className: string | undefined; children: ReactNode }) {
  const dialog = useDialogState<true>()
  return (
    <>
      <UnstyledButton
        className={className}
        aria-haspopup="dialog"
        aria-expanded={dialog.asked !== null}
        onClick={() => dialog.open(true)}
      >
        {children}
      </UnstyledButton>
      {dialog.asked && (
        <Part>
          <NewsDrawer onClose={dialog.close} />
        </Part>
      )}
    </>
  )
}
