import { useEffect, useState } from 'react'
import type { GuestPostSet } from '#contract'
import { callAsGuest } from '../api/guests.ts'
import { changesBetween, type ShownChanges } from './changes-between.ts'
import { readSeenAgain, usePost } from './data.ts'

interface Shown {
  post: GuestPostSet
  /** What has changed since the guest saw it before; stays while it is before them. */
  changes: ShownChanges | null
}

/** Posts as this page has shown them last, by their ids: the server may not have learned of it. */
const lastShown = new Map<string, GuestPostSet>()

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

  const post = shown?.post
  useEffect(() => {
    if (post) lastShown.set(post.id, post)
  }, [post])

  const version = post?.version
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
    showNewer: shown && read && changesBetween(shown.post, read) ? () => setShown(asSeenBefore(read)) : null,
  }
}

function follow(before: Shown | null, read: GuestPostSet): Shown {
  if (before === null) return asSeenBefore(read)
  if (changesBetween(before.post, read)) return before
  // Of the same content, only what was decided may be another.
  return { post: read, changes: read.waiting ? before.changes : null }
}

function asSeenBefore(post: GuestPostSet): Shown {
  const seen = lastShown.get(post.id)
  return { post, changes: post.changes ?? (seen ? changesBetween(seen, post) : null) }
}
