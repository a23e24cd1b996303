import { useEffect, useState } from 'react'
import type { GuestChanges, GuestPostSet } from '#contract'
import { callAsGuest } from '../api/guests.ts'
import { readSeenAgain, usePost } from './data.ts'

interface Shown {
  post: GuestPostSet
  /** What has changed since the guest saw it before; stays while it is before them. */
  changes: GuestChanges | null
}

/**
 * The post that is before the guest. One that changes meanwhile stays as it is until the guest asks for the newer one: no
 * decision is about what was not seen.
 */
export function useShownPost(id: string) {
  const { data, error, isFetchedAfterMount, refetch } = usePost(id)
  const [shown, setShown] = useState<Shown | null>(null)
  const read = isFetchedAfterMount ? data : undefined

  useEffect(() => {
    if (read) setShown((before) => follow(before, read))
  }, [read])

  const version = shown?.post.version
  useEffect(() => {
    if (version === undefined) return
    // Not said, it is shown as changed again: nothing is lost.
    callAsGuest('PUT /posts/:id/seen', { params: { id }, body: { version } })
      .then(readSeenAgain)
      .catch(() => {})
  }, [id, version])

  return {
    shown,
    error,
    retry: () => void refetch(),
    /** Puts the newer one before the guest; null when there is none. */
    showNewer:
      shown && read && read.version > shown.post.version && read.changes !== null
        ? () => setShown({ post: read, changes: read.changes })
        : null,
  }
}

function follow(before: Shown | null, read: GuestPostSet): Shown {
  if (before === null) return { post: read, changes: read.changes }
  // Of the same content, only what was decided may be another.
  if (read.version === before.post.version || read.changes === null) {
    return { post: read, changes: read.waiting ? before.changes : null }
  }
  return before
}
