import { t } from '@lingui/core/macro'
import { type Dispatch, type SetStateAction, useEffect, useRef, useState } from 'react'
import type { Session } from '#contract'
import { ApiError } from '../api/api-error.ts'
import { queryClient } from '../api/query-client.ts'
import { queryKeys } from '../api/query-keys.ts'
import { useSession } from '../api/session.ts'
import { type Draft, readDraft } from './draft.ts'
import { type Stored, useStoredDraft } from './stored-draft.ts'

const PREFIX = 'almanac:writing:'

/** What is kept: a draft with the version of the set that it was written over; null for a new set. */
interface Kept {
  version: number | null
  draft: Draft
  /** The name that the server knows it by. */
  id: string
}

interface KeptDraft {
  draft: Draft
  setDraft: Dispatch<SetStateAction<Draft>>
  /** Something is written that is not saved. */
  changed: boolean
  /**
   * `restored`: what was kept has taken the place of `initial`. `older`: it was written over an older version of the set
   * and waits to be asked for.
   */
  kept: 'none' | 'restored' | 'older'
  /** Takes what was kept over an older version after all. */
  useOlder: () => void
  /** Where else it is kept. */
  stored: Stored
  /**
   * What was kept is forgotten: back to what it began with, or the offer is gone. Answers what takes that back, also when
   * the composer is closed by then.
   */
  discard: () => () => Promise<void>
  /** It is saved elsewhere now. */
  saved: () => void
}

interface Subject {
  socialSetId: string
  /** The post that is edited; null for a new one. */
  postSetId: string | null
  /** Of the post that is edited; null for a new one. */
  version: number | null
  /** A new one has a time that was asked for: that counts before the one that was kept. */
  isTimed: boolean
}

/**
 * What a person writes, kept in this browser with every letter and on the server a moment later, until it is saved: a tab
 * that closes loses nothing. It belongs to the person and the account, and it never takes the place of what others have
 * changed meanwhile without a question.
 */
export function useKeptDraft({ socialSetId, postSetId, version, isTimed }: Subject, initial: Draft): KeptDraft {
  const { user, account } = useSession()
  const key = keyOf({ user, account }, postSetId ?? `new ${socialSetId}`)
  const [found, setFound] = useState(() => read(key))
  const fresh = found !== null && found.version === version
  const [draft, setDraft] = useState(() => {
    if (!fresh) return initial
    // A new post is not put back to a time that has passed: it would go out at once.
    const moved = version === null && (isTimed || Date.parse(found.draft.at) < Date.now())
    return moved ? { ...found.draft, at: initial.at } : found.draft
  })
  const [id] = useState(() => postSetId ?? found?.id ?? crypto.randomUUID())
  const [kept, setKept] = useState<KeptDraft['kept']>(found === null ? 'none' : fresh ? 'restored' : 'older')
  const [known] = useState(found !== null)
  const written = useRef<string | null>(null)
  const changed = JSON.stringify(draft) !== JSON.stringify(initial)
  const stored = useStoredDraft({ id, socialSetId, postSetId, version }, draft, changed, known)
  const { offered } = stored
  useEffect(() => {
    // What waits to be asked for stays until then.
    if (kept === 'older' && !changed) return
    if (changed) written.current = write(key, { version, draft, id })
    else forget(key, written)
  }, [key, version, draft, changed, kept, id])
  const shown = kept === 'none' && offered && !changed ? 'older' : kept
  const takeBack = useRef<TakeBack>(() => {})
  takeBack.current = (was, isOffer) => {
    if (isOffer || changed) {
      // Something else is written by now: then it waits to be asked for.
      if (!changed) written.current = write(key, was)
      setFound(was)
      setKept('older')
      return
    }
    setDraft(was.draft)
    setKept('restored')
    stored.remember()
  }
  useEffect(() => {
    const here: TakeBack = (...what) => takeBack.current(...what)
    composers.set(key, here)
    return () => {
      if (composers.get(key) === here) composers.delete(key)
    }
  }, [key])
  return {
    draft,
    setDraft,
    changed,
    kept: shown,
    stored,
    useOlder() {
      const older = found?.draft ?? offered
      if (older) setDraft(older)
      setKept('restored')
    },
    discard() {
      const isOffer = shown === 'older'
      const was = isOffer ? (found ?? { version, draft: offered ?? draft, id }) : { version, draft, id }
      written.current ??= localText(key)
      forget(key, written)
      setFound(null)
      setKept('none')
      if (!isOffer) setDraft(initial)
      stored.forget()
      return () => bringBack(key, was, isOffer)
    },
    saved() {
      forget(key, written)
      stored.forget()
    },
  }
}

/** Has what was discarded again; `isOffer`: it waited to be asked for. */
type TakeBack = (was: Kept, isOffer: boolean) => void

/** The composers that are open, by what they write. */
const composers = new Map<string, TakeBack>()

async function bringBack(key: string, was: Kept, isOffer: boolean): Promise<void> {
  const open = composers.get(key)
  if (open) return open(was, isOffer)
  if (localText(key) !== null) {
    const message = t`You have written something else since, which is kept now.`
    throw new ApiError({ status: 409, code: 'composer:occupied', message })
  }
  write(key, was)
  // A first answer that is still on its way was asked for before this.
  await queryClient.cancelQueries({ queryKey: queryKeys.keptDrafts.all })
  await queryClient.invalidateQueries({ queryKey: queryKeys.keptDrafts.all })
}

const keyOf = ({ user, account }: Pick<Session, 'user' | 'account'>, of: string) =>
  `${PREFIX}${account.id}:${user.id}:${of}`

/** The text of a new post of a brand that this browser keeps; null of none. */
export function keptText(session: Pick<Session, 'user' | 'account'>, socialSetId: string): string | null {
  return read(keyOf(session, `new ${socialSetId}`))?.draft.caption ?? null
}

function read(key: string): Kept | null {
  try {
    const kept = JSON.parse(localText(key) ?? 'null') as Partial<Kept> | null
    const draft = readDraft(kept?.draft)
    if (!kept || kept.version === undefined || !draft) return null
    return { version: kept.version, draft, id: kept.id ?? crypto.randomUUID() }
  } catch {
    return null
  }
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
