import { t } from '@lingui/core/macro'
import { ApiError, isOutage } from '../api/api-error.ts'
import { readAgain } from '../api/change.ts'
import { call } from '../api/client.ts'
import { isReachable, noteNoAnswer, onReachable } from '../api/reachable.ts'
import { announce } from '../design/announce.tsx'
import { nameOf, type Source } from './files-of.ts'
import { forgetFile, keepFile, readFile } from './kept-files.ts'
import { refusalOfFile, refusalWords } from './refusals.ts'
import type { SendFailure, Sending } from './send-file.ts'
import { addUpload, allUploads, changeUpload, dropUpload, findUpload, lockOf, type Upload } from './upload-list.ts'

/** So many files are sent at once. */
const AT_ONCE = 3
const LONGEST_WAIT_S = 30
const LOOK_MS = 1_000
/** What the server says of an address that it does not ask. */
const NOT_AN_ADDRESS = 'media-upload:url_blocked'

const files = new Map<string, File>()
/** What is being sent; null while the client of the protocol is loaded. */
const sending = new Map<string, Sending | null>()
/** Ends what keeps an upload for this page. */
const claims = new Map<string, () => void>()
const tries = new Map<string, number>()
const timers = new Map<string, number>()

/**
 * Sends files to the library of a brand, and has pictures fetched by their addresses. Answers the keys of their uploads, also of
 * those that are refused at once.
 */
export function addFiles(socialSetId: string, chosen: readonly Source[]): string[] {
  return chosen.map((source) => {
    const file = source instanceof URL ? null : source
    const key = crypto.randomUUID()
    const problem = file ? refusalOfFile(file) : /^https?:/.test(`${source}`) ? null : refusalWords(NOT_AN_ADDRESS, '')
    const name = source instanceof URL ? nameOf(source) : source.name
    addUpload({
      key,
      socialSetId,
      name,
      bytes: file?.size ?? 0,
      lastModified: file?.lastModified ?? 0,
      sent: 0,
      state: problem !== null ? 'refused' : file ? 'waiting' : 'checking',
      address: null,
      mediaLibraryId: null,
      problem,
      closed: false,
      pictured: false,
      preview: problem === null && file?.type.startsWith('image/') ? URL.createObjectURL(file) : null,
      item: null,
    })
    if (problem !== null) announce(`${name}: ${problem}`)
    else if (file) {
      files.set(key, file)
      void claim(key)
      void keepFile(key, file)
    } else void fetchPicture(key, { socialSetId, url: `${source}` })
    next()
    return key
  })
}

/** Has the server fetch a picture of a web page. */
async function fetchPicture(key: string, body: { socialSetId: string; url: string }): Promise<void> {
  try {
    const { id } = await call('POST /media-upload', { body })
    changeUpload(key, { address: id })
  } catch (error) {
    const { code, message } = error instanceof ApiError ? error : { code: '', message: '' }
    return refuse(key, refusalWords(code === 'request:invalid_body' ? NOT_AN_ADDRESS : code, message))
  }
  void follow(key)
}

/** Stops for now. What the server has stays there. */
export function pauseUpload(key: string): void {
  stop(key)
  changeUpload(key, { state: 'paused' })
  next()
}

/**
 * Goes on with what was paused or interrupted, unless another page of this browser does. Answers false when the file is not
 * there any more: then the person is asked for it.
 */
export async function resumeUpload(key: string): Promise<boolean> {
  const file = files.get(key) ?? (await readFile(key))
  if (!file) return false
  if (!(await claim(key))) return true
  files.set(key, file)
  tries.delete(key)
  changeUpload(key, { state: 'waiting' })
  next()
  return true
}

/** Goes on with a file that was chosen again; false when it is another one. */
export async function resumeWith(key: string, file: File): Promise<boolean> {
  const upload = findUpload(key)
  if (!upload || upload.name !== file.name || upload.bytes !== file.size) return false
  files.set(key, file)
  return resumeUpload(key)
}

/** Takes an upload off the list, and what the server has of it away. */
export function removeUpload(key: string): void {
  const current = sending.get(key)
  current?.giveUp()
  sending.delete(key)
  forget(key)
  dropUpload(key)
  next()
}

/** Closes what is over in the tray. */
export function closeFinished(): void {
  for (const { key, state } of allUploads()) {
    if (state === 'refused') dropUpload(key)
    if (state === 'ready') changeUpload(key, { closed: true })
  }
}

/**
 * Goes on with what the last page left: asks about what the server was looking at, and sends the rest of each file that this
 * browser has kept. What was paused stays so, and of the others the file is asked for.
 */
export function goOnAfterReload(): void {
  for (const { key, state } of allUploads()) {
    if (state === 'checking') void follow(key)
    if (state === 'interrupted') void resumeUpload(key)
  }
}

/** The library's item of an upload that is ready. */
export async function itemOf(upload: Upload): Promise<Upload['item']> {
  if (upload.item || upload.mediaLibraryId === null) return upload.item
  return call('GET /media-library/:id', { params: { id: upload.mediaLibraryId } })
}

function next(): void {
  // Those that came first go first.
  const waiting = allUploads()
    .filter(({ state }) => state === 'waiting')
    .toReversed()
  for (const { key } of waiting.slice(0, Math.max(0, AT_ONCE - sending.size))) void begin(key)
}

async function begin(key: string): Promise<void> {
  const file = files.get(key)
  if (!file) return changeUpload(key, { state: 'interrupted' })
  sending.set(key, null)
  changeUpload(key, { state: 'sending' })
  const { sendFile } = await import('./send-file.ts').catch(() => ({ sendFile: null }))
  const upload = findUpload(key)
  // Paused or removed meanwhile.
  if (upload?.state !== 'sending') return void sending.delete(key)
  if (!sendFile) return failed(key, { kind: 'later', seconds: null })
  const own = sendFile(file, {
    address: upload.address,
    socialSetId: upload.socialSetId,
    poster: file.type.startsWith('video/') && !upload.pictured ? posterEvents(key) : null,
    onAddress: (address) => changeUpload(key, { address }),
    onProgress(sent) {
      tries.delete(key)
      changeUpload(key, { sent })
    },
    onSent() {
      sending.delete(key)
      changeUpload(key, { state: 'checking', sent: file.size })
      next()
      void follow(key)
    },
    onFailed: (failure) => failed(key, failure),
  })
  if (findUpload(key)?.state === 'sending') sending.set(key, own)
  else own.pause()
}

function posterEvents(key: string) {
  return {
    onDrawn(picture: Blob) {
      if (findUpload(key)?.preview === null) changeUpload(key, { preview: URL.createObjectURL(picture) })
    },
    onSent: () => changeUpload(key, { pictured: true }),
  }
}

/**
 * Keeps an upload for this page until it is over: other pages of this browser leave it alone. Answers false when one of them
 * has it.
 */
function claim(key: string): Promise<boolean> {
  const { locks } = navigator as { locks?: LockManager }
  if (!locks || claims.has(key)) return Promise.resolve(true)
  return new Promise((resolve) => {
    void locks.request(lockOf(key), { ifAvailable: true }, (lock) => {
      resolve(lock !== null)
      return lock && new Promise<void>((release) => claims.set(key, release))
    })
  })
}

function failed(key: string, failure: SendFailure): void {
  sending.delete(key)
  switch (failure.kind) {
    case 'later': {
      noteNoAnswer()
      const tried = tries.get(key) ?? 0
      tries.set(key, tried + 1)
      const seconds = Math.max(failure.seconds ?? 0, Math.min(LONGEST_WAIT_S, 2 ** tried))
      changeUpload(key, { state: 'offline' })
      timers.set(
        key,
        window.setTimeout(() => again(key), seconds * 1_000),
      )
      break
    }
    case 'gone':
      changeUpload(key, { state: 'waiting', address: null, sent: 0, pictured: false })
      break
    case 'signed-out':
      changeUpload(key, { state: 'interrupted' })
      break
    case 'refused':
      refuse(key, refusalWords(failure.code, failure.message))
  }
  next()
}

function again(key: string): void {
  timers.delete(key)
  if (findUpload(key)?.state !== 'offline') return
  changeUpload(key, { state: 'waiting' })
  next()
}

// The server answers again: nothing has to wait any longer.
onReachable(() => {
  if (!isReachable()) return
  for (const [key, timer] of timers) {
    window.clearTimeout(timer)
    again(key)
  }
})

function stop(key: string): void {
  sending.get(key)?.pause()
  sending.delete(key)
  window.clearTimeout(timers.get(key))
  timers.delete(key)
}

function refuse(key: string, problem: string): void {
  forget(key)
  changeUpload(key, { state: 'refused', problem, preview: null })
  announce(`${findUpload(key)?.name}: ${problem}`)
}

function forget(key: string): void {
  stop(key)
  files.delete(key)
  tries.delete(key)
  claims.get(key)?.()
  claims.delete(key)
  void forgetFile(key)
}

/** Asks until the server has looked at all bytes. */
async function follow(key: string): Promise<void> {
  for (;;) {
    const upload = findUpload(key)
    const id = upload?.address?.split('/').at(-1)
    if (!upload || id === undefined) return
    try {
      const { status, mediaLibraryId, error } = await call('GET /media-upload/:id', { params: { id } })
      if (status === 'FAILED') return refuse(key, refusalWords(error?.code ?? '', error?.message ?? ''))
      if (status === 'READY' && mediaLibraryId !== null) {
        const item = await call('GET /media-library/:id', { params: { id: mediaLibraryId } })
        forget(key)
        changeUpload(key, { state: 'ready', mediaLibraryId, item })
        void readAgain('POST /media-upload')
        const { name } = upload
        announce(t`${name} is in the library.`)
        return
      }
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) return
      // An outage passes; what is refused now, such as an upload that is gone, is refused in a second too.
      if (!isOutage(error)) return refuse(key, refusalWords('', error instanceof ApiError ? error.message : ''))
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
  }
}
