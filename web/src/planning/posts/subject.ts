import { t } from '@lingui/core/macro'
import type { CalendarCard, Post, PostKind, PostSet, Right } from '#contract'
import { formOfPost, kindsOfPosts } from '#contract/post-kinds'
import { kindsText } from './kind-words.ts'

/** What the actions need to know of a post set: a card of the calendar is one. */
export type PostSetSubject = Pick<
  CalendarCard,
  | 'id'
  | 'socialSetId'
  | 'scheduledAt'
  | 'status'
  | 'approval'
  | 'isLocked'
  | 'lockedBy'
  | 'version'
  | 'seriesId'
  | 'labelsId'
  | 'networks'
  | 'excerpt'
  | 'kinds'
>

/** The subject that a post set, read on its own, is. */
export function subjectOf(postSet: PostSet): PostSetSubject {
  const {
    id,
    socialSetId,
    scheduledAt,
    status,
    approval,
    isLocked,
    version,
    labelsId,
    seriesId = null,
    posts,
  } = postSet
  const networks = posts.map(({ accountType, result }: Post) => ({ accountType, result: result?.status ?? null }))
  const excerpt = posts.find(({ caption }) => caption.trim() !== '')?.caption.trim() ?? ''
  const kinds = kindsOfPosts(posts.map(formOfPost))
  const state = { status, approval, isLocked, lockedBy: null, version }
  return { id, socialSetId, scheduledAt, ...state, labelsId, seriesId, networks, excerpt, kinds }
}

const MAX_NAME = 60

/** What a post set is called in sentences: the beginning of its text; without one, its kind, as stories have no text. */
export function nameOf({ excerpt, kinds = [] }: { excerpt: string; kinds?: readonly PostKind[] }): string {
  const line = excerpt.trim().split(/\s*\n/)[0] ?? ''
  if (line === '') return kindsText(kinds) ?? t`Post without text`
  const characters = [...line]
  return characters.length <= MAX_NAME ? line : `${characters.slice(0, MAX_NAME).join('').trimEnd()}…`
}

/** Why a member with these rights cannot change when or what this is; null when they can. A sentence. */
export function whyNotChangeable(subject: PostSetSubject, rights: readonly Right[]): string | null {
  const { status, isLocked, lockedBy } = subject
  if (status === 'PUBLISHED') return t`This post has been sent. It cannot be changed anymore.`
  if (status === 'PUBLISHING') return t`This post is being published. It cannot be changed now.`
  if (isLocked)
    return lockedBy
      ? t`This post is locked by ${lockedBy}. Unlock it to change it.`
      : t`This post is locked. Unlock it to change it.`
  if (!rights.includes('post-sets:write')) return t`Your role cannot change posts.`
  if (status === 'SCHEDULED' && !rights.includes('post-sets:publish')) {
    return t`Your role can change drafts only, and this post is scheduled.`
  }
  return null
}

/** Whether it may be taken away. Published sets stay: they show what happened. */
export const whyNotDeletable = whyNotChangeable

/** Whether approval of it can be asked for: it is neither given nor asked for already. */
export function lacksApproval(subject: Pick<PostSetSubject, 'approval' | 'status'>): boolean {
  return subject.approval !== 'APPROVED' && !awaitsReview(subject)
}

/** Whether approval of it can be asked for again: it is given, and nothing has gone out. */
export function isApproved(subject: Pick<PostSetSubject, 'approval' | 'status'>): boolean {
  return subject.approval === 'APPROVED' && isUnsent(subject)
}

/** Whether it can be scheduled: a draft does not go out, approved or not. */
export function isDraft({ status }: Pick<PostSetSubject, 'status'>): boolean {
  return status === 'DRAFT'
}

/** Whether nothing of it has gone out or is going out. */
export function isUnsent({ status }: Pick<PostSetSubject, 'status'>): boolean {
  return status === 'DRAFT' || status === 'SCHEDULED'
}

/** Whether a reviewer is asked about it. */
export function awaitsReview({ approval, status }: Pick<PostSetSubject, 'approval' | 'status'>): boolean {
  return (
    (approval === 'PENDING' || approval === 'EXTERNAL_PENDING') && status !== 'PUBLISHED' && status !== 'PUBLISHING'
  )
}

/** Whether it waits for a decision, and a member with these rights decides. */
export function mayReview(subject: Pick<PostSetSubject, 'approval' | 'status'>, rights: readonly Right[]): boolean {
  return rights.includes('post-sets:review') && awaitsReview(subject)
}
