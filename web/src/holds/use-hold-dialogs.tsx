import type { ReactNode } from 'react'
import type { Hold } from '#contract'
import { lazyWithWords } from '../api/code.ts'
import { useDialogState } from '../design/dialog-state.ts'
import { Part } from '../design/part.tsx'
import type { StopTarget } from './hold-words.ts'

// On most days no one stops anything.
const StopDialog = lazyWithWords(() => import('./hold-dialogs.tsx').then(({ StopDialog }) => ({ default: StopDialog })))
const ResumeDialog = lazyWithWords(() =>
  import('./hold-dialogs.tsx').then(({ ResumeDialog }) => ({ default: ResumeDialog })),
)

/** Asks before publishing is stopped. `dialog` stands beside what opens it. */
export function useStop(): { stop: (target: StopTarget) => void; dialog: ReactNode } {
  const { asked, open, close } = useDialogState<StopTarget>()
  return { stop: open, dialog: <Part>{asked && <StopDialog target={asked} onClose={close} />}</Part> }
}

/** Asks before publishing goes on. */
export function useResume(): { resume: (hold: Hold) => void; dialog: ReactNode } {
  const { asked, open, close } = useDialogState<Hold>()
  return { resume: open, dialog: <Part>{asked && <ResumeDialog hold={asked} onClose={close} />}</Part> }
}
