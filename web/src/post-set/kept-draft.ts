import { useEffect, useState } from 'react'
import type { Draft } from './draft.ts'

const PREFIX = 'almanac:writing:'

/**
 * What somebody writes, kept in this browser until it is saved: a tab that closes loses nothing. `restored` is true when
 * what was kept has taken the place of `initial`.
 */
export function useKeptDraft(name: string, initial: Draft): KeptDraft {
  const [found] = useState(() => read(name))
  const [draft, setDraft] = useState(found ?? initial)
  const changed = JSON.stringify(draft) !== JSON.stringify(initial)
  useEffect(() => {
    if (changed) write(name, draft)
    else forget(name)
  }, [name, draft, changed])
  return {
    draft,
    setDraft,
    changed,
    restored: found !== null,
    discard() {
      forget(name)
      setDraft(initial)
    },
    saved: () => forget(name),
  }
}

interface KeptDraft {
  draft: Draft
  setDraft: (next: Draft | ((now: Draft) => Draft)) => void
  /** Something is written that is not saved. */
  changed: boolean
  restored: boolean
  /** Back to what it began with. */
  discard: () => void
  /** It is saved elsewhere now. */
  saved: () => void
}

function read(name: string): Draft | null {
  try {
    const text = localStorage.getItem(PREFIX + name)
    const value: unknown = text === null ? null : JSON.parse(text)
    return isDraft(value) ? value : null
  } catch {
    return null
  }
}

/** Another version of Almanac may have written it. */
function isDraft(value: unknown): value is Draft {
  return (
    typeof value === 'object' &&
    value !== null &&
    'caption' in value &&
    typeof value.caption === 'string' &&
    'at' in value &&
    typeof value.at === 'string' &&
    'posts' in value &&
    Array.isArray(value.posts) &&
    'media' in value &&
    Array.isArray(value.media)
  )
}

function write(name: string, draft: Draft): void {
  try {
    localStorage.setItem(PREFIX + name, JSON.stringify(draft))
  } catch {
    // Full or switched off: then it is kept in this tab alone.
  }
}

function forget(name: string): void {
  try {
    localStorage.removeItem(PREFIX + name)
  } catch {
    // Switched off: nothing was kept.
  }
}
