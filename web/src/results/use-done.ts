import { useCallback, useState } from 'react'
import type { ResultItem } from '#contract'
import { announce } from '../design/announce.tsx'
import { isFocusLost } from '../design/opener.ts'
import { showError } from '../design/toast.tsx'
import { nameOf } from '../planning/posts/subject.ts'
import { markDone } from '../post-set-actions/mark-done.ts'

export interface Done {
  /** What is under way: ids of post sets. */
  busy: ReadonlySet<string>
  /** Says that nothing has to be done about what failed of posts, for all members; or that something has, after all. */
  mark: (items: readonly ResultItem[], done: boolean, heading: HTMLElement | null) => Promise<void>
}

export function useDone(): Done {
  const [busy, setBusy] = useState<ReadonlySet<string>>(new Set())
  const mark = useCallback(async (items: readonly ResultItem[], done: boolean, heading: HTMLElement | null) => {
    const ids = items.map(({ id }) => id)
    setBusy((now) => new Set([...now, ...ids]))
    try {
      announce(
        await markDone(
          items.map((item) => ({ id: item.id, name: nameOf(item) })),
          done,
        ),
      )
      // It went with its row.
      if (isFocusLost()) heading?.focus()
    } catch (error) {
      showError(error)
    } finally {
      setBusy((now) => new Set([...now].filter((id) => !ids.includes(id))))
    }
  }, [])
  return { busy, mark }
}
