import type { Session } from '#contract'
import { type Draft, readDraft } from '../draft-shape.ts'
import type { Copy } from './keeping.ts'

// Copies in this browser of what is written and not saved: one for each text and page that writes it.

const PREFIX = 'almanac:writing:'

export type Owner = Pick<Session, 'user' | 'account'>

/** A copy with what it takes to list it. */
interface StoredCopy extends Copy {
  key: string
  socialSetId: string
  postSetId: string | null
  /** ISO 8601. */
  at: string
}

/** This page, among those that write the same text. */
export const WRITER: string = crypto.randomUUID()

/**
 * A number of this moment that grows, and that other pages do not have: a millisecond's worth of random digits behind it.
 */
export const stamp = () => Date.now() * 500 + Math.floor(Math.random() * 500)

const prefixOf = ({ user, account }: Owner) => `${PREFIX}${account.id}:${user.id}:`
const keyOf = (owner: Owner, id: string) => `${prefixOf(owner)}${id}:${WRITER}`

/** What this browser has of the person's texts, the newest first. */
export function readCopies(owner: Owner): StoredCopy[] {
  const prefix = prefixOf(owner)
  return keysOf(prefix)
    .flatMap((key) => readCopy(key, key.slice(prefix.length)) ?? [])
    .sort((one, other) => other.sequence - one.sequence)
}

/** Writes this page's copy of a text. False where the browser keeps nothing. */
export function writeCopy(owner: Owner, copy: Omit<StoredCopy, 'key' | 'at'>): boolean {
  try {
    localStorage.setItem(keyOf(owner, copy.id), JSON.stringify({ ...copy, at: new Date().toISOString() }))
    return true
  } catch {
    // Full or switched off: then it is in this page alone.
    return false
  }
}

/** Removes this page's copy of a text. */
export const forgetCopy = (owner: Owner, id: string) => remove(keyOf(owner, id))

/** Removes any page's copy. */
export const forgetCopyOf = ({ key }: StoredCopy) => remove(key)

/**
 * Removes the copies of a text that other pages have written: what they had is in this one, or was given up.
 *
 * @param seen those that are newer stay, unless the server has them
 */
export function forgetOthers(owner: Owner, id: string, seen = Number.POSITIVE_INFINITY): void {
  for (const copy of readCopies(owner)) {
    if (copy.id !== id || copy.key === keyOf(owner, id)) continue
    if (copy.isStored || copy.sequence <= seen) remove(copy.key)
  }
}

/** Removes all copies of a text. */
export function forgetAll(owner: Owner, id: string): void {
  for (const copy of readCopies(owner)) if (copy.id === id) forgetCopyOf(copy)
}

function readCopy(key: string, name: string): StoredCopy | null {
  try {
    const kept = JSON.parse(localStorage.getItem(key) ?? 'null') as Partial<StoredCopy> | null
    const draft = readDraft(kept?.draft)
    if (!kept || !draft || kept.version === undefined) return null
    return { ...whole(kept, draft), ...placeOf(kept, name), key }
  } catch {
    return null
  }
}

function whole(kept: Partial<StoredCopy>, draft: Draft): Omit<Copy, 'id'> & { at: string } {
  const { version = null, sequence = 1, seen = 0, own = [], isStored = false, at = new Date(0).toISOString() } = kept
  return { draft, version, sequence, seen, own, isStored, at }
}

/** Versions before named a copy by its post, or `new` and the brand. */
function placeOf(kept: Partial<StoredCopy>, name: string): Pick<StoredCopy, 'id' | 'socialSetId' | 'postSetId'> {
  const { id = crypto.randomUUID(), socialSetId, postSetId = null } = kept
  if (socialSetId !== undefined) return { id, socialSetId, postSetId }
  return name.startsWith('new ')
    ? { id, socialSetId: name.slice('new '.length), postSetId: null }
    : { id: name, socialSetId: '', postSetId: name }
}

function keysOf(prefix: string): string[] {
  try {
    return Array.from({ length: localStorage.length }, (_, index) => localStorage.key(index) ?? '').filter((key) =>
      key.startsWith(prefix),
    )
  } catch {
    return []
  }
}

function remove(key: string): void {
  try {
    localStorage.removeItem(key)
  } catch {
    // Switched off: nothing was kept.
  }
}
