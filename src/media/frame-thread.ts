import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parentPort, workerData } from 'node:worker_threads'

/** Runs only as a thread of `frame-program.ts`: the decoder, which is busy until it is done. */

export interface FrameTask {
  /** The folder of the package `@ffmpeg/core`. */
  decoder: string
  /** A video. */
  file: Uint8Array
  /** Seconds into it of the frame; 0: its first one. */
  at: number
}

export type FrameAnswer =
  | { kind: 'drawn'; picture: Uint8Array }
  /** The decoder makes no picture of this file. */
  | { kind: 'unreadable' }
  /** The package is not what is expected, or cannot be read. */
  | { kind: 'impossible'; message: string }

/** What is used of the package, version 0.12: https://github.com/ffmpegwasm/ffmpeg.wasm (read 2026-11-30). */
interface Decoder {
  FS: { writeFile(path: string, bytes: Uint8Array): void; readFile(path: string): Uint8Array }
  setLogger(log: (line: unknown) => void): void
  exec(...args: string[]): number
}

if (parentPort) parentPort.postMessage(await draw(workerData as FrameTask))

async function draw({ decoder, file, at }: FrameTask): Promise<FrameAnswer> {
  const core = await load(decoder)
  if ('kind' in core) return core
  core.setLogger(() => {})
  core.FS.writeFile('in', file)
  try {
    // As it is in the file: where this build scales or turns a picture, or is asked for a quality, it breaks its memory or does not end.
    core.exec(...(at > 0 ? ['-ss', at.toFixed(6)] : []), '-i', 'in', '-frames:v', '1', '-f', 'mjpeg', 'out')
  } catch {
    // What it has written by then may be whole: those who decode it see.
  }
  const picture = written(core)
  return picture === null ? { kind: 'unreadable' } : { kind: 'drawn', picture }
}

function written({ FS }: Decoder): Uint8Array | null {
  try {
    const bytes = FS.readFile('out')
    return bytes.length > 0 ? bytes : null
  } catch {
    return null
  }
}

async function load(folder: string): Promise<Decoder | Extract<FrameAnswer, { kind: 'impossible' }>> {
  try {
    // It takes itself to be in a worker of a browser.
    Object.assign(globalThis, { self: { location: { href: 'file:///' } } })
    const wasmBinary = readFileSync(join(folder, 'dist/esm/ffmpeg-core.wasm'))
    const { default: create } = await import(pathToFileURL(join(folder, 'dist/esm/ffmpeg-core.js')).href)
    return await create({ wasmBinary })
  } catch (error) {
    return { kind: 'impossible', message: (error as Error).message }
  }
}
