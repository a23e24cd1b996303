import { t } from '@lingui/core/macro'
import { useCallback, useState } from 'react'
import type { ResultItem } from '#contract'
import { change } from '../api/change.ts'
import { announce } from '../design/announce.tsx'
import { isFocusLost } from '../design/opener.ts'
import { showError, showUndo } from '../design/toast.tsx'
import { nameOf } from '../planning/subject.ts'

export interface Done {
  /** What is under way: ids of post sets. */
  busy: ReadonlySet<string>
  /** Says that nothing has to be done about what failed of a post, for all members; or that something has, after all. */
  mark: (item: ResultItem, done: boolean, button: HTMLElement) => Promise<void>
}

const put = (id: string, done: boolean) => change('PUT /post-sets/:id/done', { params: { id }, body: { done } })

export function useDone(): Done {
  const [busy, setBusy] = useState<ReadonlySet<string>>(new Set())
  const mark = useCallback(async (item: ResultItem, done: boolean, button: HTMLElement) => {
    // It goes with its row.
    const heading = button.closest('section')?.querySelector('h2')
    const { id } = item
    const name = nameOf(item)
    setBusy((now) => new Set([...now, id]))
    try {
      await put(id, done)
      const message = done ? t`“${name}” marked as done.` : t`“${name}” brought back.`
      announce(message)
      if (isFocusLost()) heading?.focus()
      showUndo({ message, undo: () => put(id, !done) })
    } catch (error) {
      showError(error)
    } finally {
      setBusy((now) => new Set([...now].filter((other) => other !== id)))
    }
  }, [])
  return { busy, mark }
}
