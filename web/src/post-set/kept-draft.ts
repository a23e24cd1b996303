import { useEffect, useRef, useState } from 'react'
import { useSession } from '../api/session.ts'
import type { Draft } from './draft.ts'

const PREFIX = 'almanac:writing:'

/** What is kept: a draft with the version of the set that it was written over; null for a new set. */
interface Kept {
  version: number | null
  draft: Draft
}

interface KeptDraft {
  draft: Draft
  setDraft: (next: Draft) => void
  /** Something is written that is not saved. */
  changed: boolean
  /**
   * `restored`: what was kept has taken the place of `initial`. `older`: it was written over an older version of the set
   * and waits to be asked for.
   */
  kept: 'none' | 'restored' | 'older'
  /** Takes what was kept over an older version after all. */
  useOlder: () => void
  /** Back to what it began with; nothing is kept. */
  discard: () => void
  /** It is saved elsewhere now. */
  saved: () => void
}

/**
 * What a person writes, kept in this browser until it is saved: a tab that closes loses nothing. It belongs to the person and
 * the account, and it never takes the place of what others have changed meanwhile without a question.
 *
 * @param version of the set that is edited; null for a new one, whose time stays the one that was asked for
 */
export function useKeptDraft(name: string, version: number | null, initial: Draft): KeptDraft {
  const { user, account } = useSession()
  const key = `${PREFIX}${account.id}:${user.id}:${name}`
  const [found, setFound] = useState(() => read(key))
  const fresh = found !== null && found.version === version
  const [draft, setDraft] = useState(() =>
    fresh ? { ...found.draft, ...(version === null ? { at: initial.at } : {}) } : initial,
  )
  const [kept, setKept] = useState<KeptDraft['kept']>(found === null ? 'none' : fresh ? 'restored' : 'older')
  const written = useRef<string | null>(null)
  const changed = JSON.stringify(draft) !== JSON.stringify(initial)
  useEffect(() => {
    // What waits to be asked for stays until then.
    if (kept === 'older' && !changed) return
    if (changed) written.current = write(key, { version, draft })
    else forget(key, written)
  }, [key, version, draft, changed, kept])
  return {
    draft,
    setDraft,
    changed,
    kept,
    useOlder() {
      if (found) setDraft(found.draft)
      setKept('restored')
    },
    discard() {
      written.current ??= localText(key)
      forget(key, written)
      setFound(null)
      setKept('none')
      setDraft(initial)
    },
    saved: () => forget(key, written),
  }
}

function read(key: string): Kept | null {
  try {
    const value: unknown = JSON.parse(localText(key) ?? 'null')
    return isKept(value) ? value : null
  } catch {
    return null
  }
}

/** Another version of Almanac may have written it. */
function isKept(value: unknown): value is Kept {
  if (!isRecord(value) || !('version' in value) || !isRecord(value.draft)) return false
  const { caption, at, posts, media } = value.draft
  return typeof caption === 'string' && typeof at === 'string' && Array.isArray(posts) && Array.isArray(media)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function localText(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

/** Answers what was written; null where the browser keeps nothing. */
function write(key: string, kept: Kept): string | null {
  const text = JSON.stringify(kept)
  try {
    localStorage.setItem(key, text)
    return text
  } catch {
    // Full or switched off: then it is kept in this tab alone.
    return null
  }
}

/** Only what this tab wrote: another one may be writing under the same name. */
function forget(key: string, written: { current: string | null }): void {
  if (written.current === null || localText(key) !== written.current) return
  try {
    localStorage.removeItem(key)
  } catch {
    // Switched off: nothing was kept.
  }
  written.current = null
}
