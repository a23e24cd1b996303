import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { Logging, LogLevel } from 'mediabunny'
import { type CutFrame, cutFrame } from './cut-frame.ts'
import { type Measures, measure } from './measure-video.ts'
import { remux } from './remux-mp4.ts'
import type { ReadRange } from './video-boxes.ts'
import { damaged, type VideoFailure } from './video-input.ts'

/** Runs only as a thread of `video-program.ts`, which hands it bytes on demand, takes what it writes, and one answer. */

export interface VideoTask {
  task: 'measure' | 'remux' | 'frame'
  /** Size of the file. */
  bytes: number
  /** Of `frame`: its moment in milliseconds; the server's choice without it. */
  atMs?: number | undefined
}
export type FromThread =
  | { kind: 'read'; id: number; start: number; end: number }
  | { kind: 'write'; id: number; bytes: Uint8Array }
  | { kind: 'measured'; measures: Measures }
  | { kind: 'remuxed' }
  | CutFrame
  | VideoFailure
/** The bytes that were asked for; none: what was written is taken. */
export interface ToThread {
  id: number
  bytes: Uint8Array
}

if (parentPort) await run(parentPort, workerData as VideoTask)

async function run(port: MessagePort, { task, bytes, atMs }: VideoTask): Promise<void> {
  Logging.level = LogLevel.Silent
  const send = (message: FromThread) => port.postMessage(message)
  const waiting = new Map<number, (bytes: Uint8Array) => void>()
  port.on('message', (message: ToThread) => {
    waiting.get(message.id)?.(message.bytes)
    waiting.delete(message.id)
  })
  let asked = 0
  const ask = (question: (id: number) => FromThread) =>
    new Promise<Uint8Array>((resolve) => {
      const id = asked++
      waiting.set(id, resolve)
      send(question(id))
    })
  const read: ReadRange = (start, end) => ask((id) => ({ kind: 'read', id, start, end }))
  const write = async (piece: Uint8Array) => {
    await ask((id) => ({ kind: 'write', id, bytes: piece }))
  }
  try {
    if (task === 'remux') send(await remux(read, bytes, write))
    else send(await (task === 'frame' ? cutFrame(read, bytes, { atMs }) : measure(read, bytes)))
  } catch {
    // The parser's errors are assertions about boxes, in words for programmers.
    send(damaged('its index cannot be read'))
  }
  port.close()
}
