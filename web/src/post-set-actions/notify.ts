// How people learn what an action did, and how it is taken back.
import { t } from '@lingui/core/macro'
import type { BulkAction } from '#contract'
import { ApiError } from '../api/api-error.ts'
import { announce } from '../design/announce.tsx'
import { showDone, showError, showNews, showUndo } from '../design/toast.tsx'
import { holdUndo } from '../design/undo-stack.ts'
import { withWords } from '../language/language.ts'
import { nameOf, type PostSetSubject } from '../planning/posts/subject.ts'
import { revert } from './change.ts'
import { newestChange, type Version } from './requests.ts'
import { withUndoHint } from './words.ts'

interface Deps {
  /** Opens a post set. */
  open: (id: string) => void
  focus: (id: string) => void
}

export function makeNotify({ open, focus }: Deps) {
  /** Says what was done, and how it is taken back. What was so already has led to no version, and stays. */
  const offerUndo = (
    sentence: string,
    versions: readonly Version[],
    action: BulkAction,
    /** What gets the focus then, or what else leads there. */
    back?: string | (() => void),
    /** What was done right before as part of it: it is taken back after that. */
    before: readonly Version[] = [],
  ) => {
    if (versions.length === 0) {
      announce(sentence)
      return showDone(sentence)
    }
    announce(withUndoHint(sentence))
    showUndo({
      message: sentence,
      undo: async () => {
        const reported = await revert(versions, action)
        if (before.length > 0) await revert(before, action)
        if (typeof back === 'function') back()
        else if (back) focus(back)
        return reported
      },
    })
  }

  /** Runs an action; what goes wrong is reported. Answers whether it went well. */
  const attempt = async (subjects: readonly PostSetSubject[], run: () => Promise<void>): Promise<boolean> => {
    const doing = run()
    holdUndo(doing)
    try {
      await doing
      return true
    } catch (error) {
      await showFailure(error, subjects, open)
      return false
    }
  }

  return { offerUndo, attempt }
}

/** That another member was faster is news, with the way to what they did; everything else is an error. */
async function showFailure(
  error: unknown,
  subjects: readonly PostSetSubject[],
  open: (id: string) => void,
): Promise<void> {
  const [only] = subjects
  if (!(error instanceof ApiError) || error.status !== 412 || !only || subjects.length > 1) return showError(error)
  const newest = await newestChange(only.id).catch(() => undefined)
  // Rarely needed: the words of all actions come with it.
  const { fasterSentence } = await withWords(import('./faster.ts'))
  const sentence = t`${fasterSentence(newest)} ${nameOf(only)} is shown as it is now.`
  announce(sentence)
  showNews(sentence, { label: t`View`, run: () => open(only.id) })
}
