import { createContext, use } from 'react'
import type { SocialSet } from '#contract'
import type { MoveTarget } from './plan-move.ts'
import type { PostSetSubject } from './subject.ts'

/** What can be done to post sets. Everything says what it did, and offers to take it back where that is possible. */
export interface PostSetActions {
  socialSet: SocialSet
  /** Puts the focus beside sets that are about to go. */
  leave: (ids: readonly string[]) => void
  /** Asks what has to be asked (two clock times, publishing at once, a series), then moves. */
  move: (subject: PostSetSubject, target: MoveTarget) => Promise<void>
  /** Opens "Move to…". */
  openMove: (subject: PostSetSubject) => void
  /** Lets the person click on the day to move to. Absent where no days are shown. */
  pick: ((subject: PostSetSubject) => void) | undefined
  moveByDays: (subjects: readonly PostSetSubject[], days: number) => Promise<void>
  duplicate: (subject: PostSetSubject) => Promise<void>
  /** Makes a draft of the posts that failed, for the next sensible time, and opens it. */
  retryFailed: (subject: PostSetSubject) => Promise<void>
  openLabels: (subjects: readonly PostSetSubject[]) => void
  setLocked: (subjects: readonly PostSetSubject[], locked: boolean) => Promise<void>
  approve: (subject: PostSetSubject) => Promise<void>
  /** Opens the dialog that asks what has to change. */
  openRequestChanges: (subject: PostSetSubject) => void
  requestApproval: (subjects: readonly PostSetSubject[]) => Promise<void>
  copyLink: (subject: PostSetSubject) => Promise<void>
  /** Asks how many of a series, then deletes. */
  remove: (subjects: readonly PostSetSubject[]) => Promise<void>
}

export const PostSetActionsContext = createContext<PostSetActions | null>(null)

/** The actions. Below `PostSetActionsProvider` only. */
export function usePostSetActions(): PostSetActions {
  const actions = use(PostSetActionsContext)
  if (!actions) throw new Error('PostSetActionsProvider does not stand around this component.')
  return actions
}
