import { useSyncExternalStore } from 'react'
import type { MediaLibraryItem } from '#contract'
import { WEEK_MS } from '#contract/durations'

export type UploadState =
  /** Its turn comes. */
  | 'waiting'
  | 'sending'
  | 'paused'
  /** The server does not answer, or asked for patience: it goes on by itself. */
  | 'offline'
  /** A page before this one began it, or the member was signed out: it goes on by itself where this browser kept the file. */
  | 'interrupted'
  /** All bytes are there; the server looks at them. */
  | 'checking'
  | 'ready'
  | 'refused'

/** A file of this computer on its way into the media library. */
export interface Upload {
  key: string
  socialSetId: string
  name: string
  /** Of the whole file. */
  bytes: number
  lastModified: number
  /** Bytes that have left. */
  sent: number
  state: UploadState
  /** Of the upload on the server, as a path; null before it has begun. */
  address: string | null
  mediaLibraryId: string | null
  /** Why it was refused, and what to do: two sentences. */
  problem: string | null
  /** Closed in the tray; posts may still wait for it. */
  closed: boolean
  /** The server has the picture of it that was drawn here; of a video. */
  pictured: boolean
  /** A picture of it, while this page has the file; none of a file that was refused, which may show nothing. */
  preview: string | null
  item: MediaLibraryItem | null
}

/** The lock that the page which has an upload under way holds: pages of one browser share what is kept. */
export const lockOf = (key: string) => `almanac-upload:${key}`

const PREFIX = 'almanac:upload:'
/** What is finished is forgotten some days later: a post that waits for it was opened by then, or never is. */
const KEPT_MS = WEEK_MS

let owner: string | null = null
let uploads: readonly Upload[] = []
const listeners = new Set<() => void>()

/** All uploads of the member who is signed in, the newest first. */
export function allUploads(): readonly Upload[] {
  return uploads
}

export function findUpload(key: string): Upload | undefined {
  return uploads.find((upload) => upload.key === key)
}

/** All uploads, as they go. */
export function useUploads(): readonly Upload[] {
  return useSyncExternalStore(subscribe, allUploads)
}

export function addUpload(upload: Upload): void {
  uploads = [upload, ...uploads]
  keep(upload)
  notifyAll()
}

/** Changes an upload; nothing happens when it is gone. */
export function changeUpload(key: string, change: Partial<Upload>): void {
  if (change.preview === null) releasePreview(key)
  uploads = uploads.map((upload) => (upload.key === key ? { ...upload, ...change } : upload))
  const changed = findUpload(key)
  // Every step of the way is not worth writing: how far it is the server knows.
  if (changed && Object.keys(change).some((name) => name !== 'sent')) keep(changed)
  notifyAll()
}

function releasePreview(key: string): void {
  const preview = findUpload(key)?.preview
  if (preview) URL.revokeObjectURL(preview)
}

export function dropUpload(key: string): void {
  releasePreview(key)
  uploads = uploads.filter((upload) => upload.key !== key)
  try {
    localStorage.removeItem(nameOf(key))
  } catch {
    // Switched off: nothing was kept.
  }
  notifyAll()
}

/**
 * Reads what pages before this one have left of a member's uploads. Does nothing when they are read already.
 *
 * @param locks that other pages of this browser have
 */
export function readUploads(who: string, locks: ReadonlySet<string>): void {
  if (who === owner) return
  owner = who
  const found: Upload[] = []
  try {
    for (const name of Object.keys(localStorage).filter((each) => each.startsWith(`${PREFIX}${who}:`))) {
      const upload = readUpload(localStorage.getItem(name))
      if (!upload) localStorage.removeItem(name)
      // What another page has under way is shown there.
      else if (!locks.has(lockOf(upload.key))) found.push(upload)
    }
  } catch {
    // Switched off: nothing was kept.
  }
  uploads = found
  notifyAll()
}

function readUpload(text: string | null): Upload | null {
  try {
    const { at, ...upload } = JSON.parse(text ?? 'null') as Upload & { at: number }
    const { state, sent } = upload
    if (typeof upload.key !== 'string' || typeof sent !== 'number' || state === 'refused') return null
    // A picture that the server was never asked for.
    if (state === 'checking' && upload.address === null) return null
    if (state === 'ready' && Date.now() - at > KEPT_MS) return null
    const stays = state === 'ready' || state === 'checking' || state === 'paused'
    return { ...upload, state: stays ? state : 'interrupted', preview: null, item: null, closed: state === 'ready' }
  } catch {
    return null
  }
}

function keep(upload: Upload): void {
  try {
    localStorage.setItem(nameOf(upload.key), JSON.stringify({ ...upload, preview: null, item: null, at: Date.now() }))
  } catch {
    // Full or switched off: then this page alone knows of it.
  }
}

const nameOf = (key: string) => `${PREFIX}${owner}:${key}`

function notifyAll(): void {
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
