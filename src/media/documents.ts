import { Readable } from 'node:stream'
import { LIMITS } from '#contract'
import { converse, endProgram, lendFile, restingProcesses, type TaskLimits } from '#processes'
import type { DocumentAnswer, DocumentResult } from './document-program.ts'
import type { DocumentTask } from './document-thread.ts'
import { formatBytes, MediaFailure, tooLarge } from './failure.ts'
import { someAtATime } from './one-at-a-time.ts'
import type { Probed } from './probed.ts'
import type { Rendition } from './rendition.ts'
import type { MediaStore } from './store.ts'

const MIB = 1024 * 1024
/** Measured: 70 MB and 0.2 s for a page of text, and what the file and the pictures of a page take beside it. */
const MOST: TaskLimits = { residentBytes: 640 * MIB, seconds: 15 }
/** A document that takes all of its time does not keep the others waiting. */
const inTurn = someAtATime(2)
const processes = restingProcesses(new URL('./document-program.ts', import.meta.url), 10_000)

/** Of the longer side of a page: as a small picture, and where it is leafed through. */
export const PAGE_PIXELS = { thumbnail: 400, preview: 1_600 } as const

interface DocumentOptions {
  signal?: AbortSignal | undefined
  limits?: TaskLimits | undefined
}

type Result = Exclude<DocumentResult, { kind: 'late' | 'over' | 'encrypted' | 'unreadable' }>

/** Reads what a document is, in a process of its own. Rejects with the signal's reason. */
export async function probeDocument(
  store: MediaStore,
  key: string,
  { bytes }: { bytes: number },
  options: DocumentOptions = {},
): Promise<Probed> {
  try {
    if (bytes > LIMITS.documentBytes) throw tooLarge(LIMITS.documentBytes, bytes)
    const read = await readDocument(store, key, {}, options)
    if (read.kind !== 'measured') throw new TypeError(`A document was to be measured, and ${read.kind} came.`)
    if (read.pages > LIMITS.documentPages) throw tooManyPages(read.pages)
    const [width, height] = [read.width, read.height].map((points) => Math.max(1, Math.round(points)))
    const none = { durationMs: null, videoCodec: null, audioCodec: null, frameRate: null, animated: false }
    const size = { width: width ?? 1, height: height ?? 1, pages: read.pages }
    return { kind: 'ok', facts: { type: 'DOCUMENT', mimeType: 'application/pdf', bytes, ...size, ...none } }
  } catch (error) {
    if (error instanceof MediaFailure) return { kind: 'failed', code: error.code, message: error.message }
    throw error
  }
}

/**
 * Stores a picture of a page of a document, from 1 on, whose longer side has `pixels`. The same page gives the same bytes.
 *
 * @throws MediaFailure the page cannot be drawn, or takes too much memory or time
 * @throws Error the process was ended from outside, or the machine is too busy: it can be tried again
 * @throws the signal's reason
 */
export async function drawPage(
  store: MediaStore,
  key: string,
  page: { number: number; pixels: number },
  options: DocumentOptions = {},
): Promise<Rendition> {
  const drawn = await readDocument(store, key, { page }, options)
  if (drawn.kind !== 'drawn') throw new TypeError(`A page was to be drawn, and ${drawn.kind} came.`)
  const { data, width, height } = drawn
  const stored = await store.put(Readable.from([Buffer.from(data)]))
  const none = { durationMs: null, videoCodec: null, audioCodec: null, frameRate: null, animated: false }
  const facts = { type: 'IMAGE', mimeType: 'image/webp', bytes: data.length, width, height, ...none } as const
  return { key: stored.key, facts }
}

function readDocument(store: MediaStore, key: string, task: DocumentTask, options: DocumentOptions): Promise<Result> {
  const { signal, limits = MOST } = options
  return inTurn(async () => {
    const child = processes.wake()
    let rests = false
    try {
      await using lent = await lendFile(child, { path: store.path(key), open: () => store.open(key) }, signal)
      const about = { seconds: limits.seconds, reads: 'documents', crashed: damaged, signal }
      for await (const answer of converse<DocumentAnswer>(child, { path: lent.path, task, limits }, about)) {
        const { residentBytes: held, ...result } = answer
        rests = !STOPPED.has(result.kind) && held < limits.residentBytes / 2
        return usable(result, limits)
      }
      throw new Error('The process that reads documents gave no answer.')
    } finally {
      if (rests) processes.rest(child)
      else endProgram(child)
    }
  }, signal)
}

const STOPPED: ReadonlySet<DocumentResult['kind']> = new Set(['late', 'over', 'unreadable'])

/** @throws MediaFailure */
function usable(result: DocumentResult, { residentBytes, seconds }: TaskLimits): Result {
  switch (result.kind) {
    case 'encrypted':
      throw new MediaFailure('media-upload:unsupported_type', ENCRYPTED)
    case 'unreadable':
      throw damaged()
    case 'over':
      throw tooMuch(`more than ${formatBytes(residentBytes)} of memory`)
    case 'late':
      throw tooMuch(`longer than ${seconds} s of a processor`)
    default:
      return result
  }
}

const ENCRYPTED = 'The PDF is protected by a password or by permissions. Save it without protection and upload it.'

const damaged = () =>
  new MediaFailure('media-upload:corrupt', 'The PDF is damaged: it cannot be read. Export it again and upload it.')

const tooMuch = (what: string) =>
  new MediaFailure('media-upload:too_large', `The PDF takes ${what} to read. Export it with smaller pictures.`)

function tooManyPages(pages: number): MediaFailure {
  const message = `The PDF has ${pages} pages; the most is ${LIMITS.documentPages}. Make it shorter, or split it.`
  return new MediaFailure('media-upload:too_large', message)
}
