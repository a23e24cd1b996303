import { createContext, use } from 'react'
import type { PostSetSubject } from '../planning/posts/subject.ts'
import type { MoveTarget } from './plan-move.ts'

/** What can be done to post sets. Everything says what it did, and offers to take it back where that is possible. */
export interface PostSetActions {
  /** Shows a post, on the page of a time if one is given. */
  open: (id: string, at?: string) => void
  /** Puts the focus beside sets that are about to go. */
  leave: (ids: readonly string[]) => void
  /** Asks what has to be asked (two clock times, publishing at once, a series), then moves. */
  move: (subject: PostSetSubject, target: MoveTarget) => Promise<void>
  /** Opens "Move to…". */
  openMove: (subject: PostSetSubject) => void
  /** Lets the person click on the day to move to. Absent where no days are shown. */
  pick: ((subject: PostSetSubject) => void) | undefined
  /** Opens "Schedule…" for a draft. */
  openSchedule: (subject: PostSetSubject) => void
  /** Schedules drafts, each at the time that it has. */
  schedule: (subjects: readonly PostSetSubject[]) => Promise<void>
  /**
   * Two acts, two entries of the history: approves a draft, then schedules it at the time that it has, once no other
   * approval is wanted. Like `approve`, it is about the version that the subject has, and answers whether it was approved.
   */
  approveAndSchedule: (subject: PostSetSubject, message?: string | null) => Promise<boolean>
  moveByDays: (subjects: readonly PostSetSubject[], days: number) => Promise<void>
  /** Asks when, then makes drafts of them. */
  duplicate: (subjects: readonly PostSetSubject[]) => Promise<void>
  /** Asks for a brand, then copies them there or moves them; null: asks which of both. */
  toBrand: (subjects: readonly PostSetSubject[], move: boolean | null) => Promise<void>
  openLabels: (subjects: readonly PostSetSubject[]) => void
  setLocked: (subjects: readonly PostSetSubject[], locked: boolean) => Promise<void>
  /** Approves the version that the subject has; when it has changed, shows what did and asks. Answers whether it was done. */
  approve: (subject: PostSetSubject, message?: string | null) => Promise<boolean>
  /** The same for the whole team, by an admin, where no one else is left to approve it. */
  approveWithReason: (subject: PostSetSubject, reason: string) => Promise<boolean>
  /** Opens the dialog that asks for the reason. */
  openApproveWithReason: (subject: PostSetSubject) => void
  /** The same of requesting changes, which the message names. */
  requestChanges: (subject: PostSetSubject, message: string) => Promise<boolean>
  /** Opens the dialog that asks what has to change. */
  openRequestChanges: (subject: PostSetSubject) => void
  requestApproval: (subjects: readonly PostSetSubject[]) => Promise<void>
  /** Asks the team, or the client, about a post that is approved; its approval ends. */
  requestAgain: (subject: PostSetSubject, whom: 'team' | 'client') => Promise<void>
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
