import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'
import sharp from 'sharp'
import { type LimitPassed, serveParent, type TaskLimits, watchLimits } from '#processes'
import type { DocumentInput, DocumentMeasures, DocumentTask, FromThread } from './document-thread.ts'

/**
 * Runs only as a process of `document-process.ts`, which sends one document at a time. It is read in a thread, a new one for each, so
 * that this one can look at what that takes.
 */

interface DocumentRequest {
  /** Path of the file. */
  path: string
  task: DocumentTask
  limits: TaskLimits
}

export type DocumentResult =
  | ({ kind: 'measured' } & DocumentMeasures)
  /** A WebP. */
  | { kind: 'drawn'; data: Uint8Array; width: number; height: number }
  | { kind: 'encrypted' }
  | { kind: 'unreadable' }
  | LimitPassed

/** `residentBytes` is what the process holds after the task. */
export type DocumentAnswer = DocumentResult & { residentBytes: number }

const THREAD = new URL('./document-thread.ts', import.meta.url)
/** Letters stay sharp. */
const QUALITY = 82

if (process.send) listen((answer, then = () => {}) => void process.send?.(answer, then))

function listen(answer: (answer: DocumentAnswer, then?: () => void) => void): void {
  // Before this process becomes a user who may not be able to read it.
  const wasm = new Uint8Array(readFileSync(createRequire(import.meta.url).resolve('@embedpdf/pdfium/pdfium.wasm')))
  serveParent({ loads: THREAD })
  sharp.cache(false)
  sharp.concurrency(1)
  process.on('message', ({ path, task, limits }: DocumentRequest) => {
    const watch = watchLimits(limits, answer)
    const end = (result: DocumentResult) => {
      watch.stop()
      answer({ ...result, residentBytes: process.memoryUsage.rss() })
    }
    const workerData: DocumentInput = { path, wasm, ...task }
    const thread = new Worker(THREAD, { workerData, env: {}, execArgv: [] })
    thread.on('message', async (read: FromThread) => end(read.kind === 'pixels' ? await pictureOf(read) : read))
  })
}

async function pictureOf({ pixels, width, height }: Extract<FromThread, { kind: 'pixels' }>): Promise<DocumentResult> {
  const raw = { width, height, channels: 4 } as const
  const data = await sharp(pixels, { raw }).removeAlpha().webp({ quality: QUALITY }).toBuffer()
  return { kind: 'drawn', data, width, height }
}
