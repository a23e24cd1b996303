import { type ChildProcess, fork } from 'node:child_process'
import { LIMITS } from '#contract'
import { formatBytes, MediaFailure } from './failure.ts'
import { oneAtATime } from './one-at-a-time.ts'
import type { PictureAnswer, PictureRequest, PictureResult, PictureTask } from './picture-program.ts'

export interface PictureLimits {
  /** The most that the process may have resident, its own 70 MB included. */
  residentBytes: number
  /** The most that one task may take of a processor. */
  seconds: number
  /** How long the process stays when there is nothing to do. */
  idleMs: number
}

/** Works on files in a process of its own, one at a time. */
export interface PictureProcess {
  /**
   * Waits for its turn and works on a file; the next one gets a new process when this one ends its own.
   *
   * @throws MediaFailure the file takes too much memory or processor time, or the decoder crashes on it
   * @throws Error the process was ended from outside, or the machine is too busy: the file can be tried again
   * @throws the signal's reason
   */
  run(path: string, task: PictureTask, signal?: AbortSignal): Promise<Result>
}

export type Result = Exclude<PictureResult, { kind: 'late' | 'over' }>

/**
 * By the clock a task may take this many times its limit of processor time. More means that the machine or its disk is
 * too busy, or that the process hangs, which is an error of ours.
 */
const CLOCK_FACTOR = 4
/** A process starts in this time also on a machine that is busy. */
const LEAST_CLOCK_MS = 5_000
/** Signals of a crash: the decoder's, on this file. All others come from outside: a stop, or the system short of memory. */
const CRASHES: ReadonlySet<string> = new Set(['SIGSEGV', 'SIGBUS', 'SIGABRT', 'SIGILL', 'SIGFPE'] as const)

/**
 * Decoders of pictures are native code: no heap limit bounds what they take, and a file of a megabyte can ask for
 * gigabytes. The process starts with the first picture and ends when it has nothing to do or has grown.
 */
export function createPictureProcess(limits: PictureLimits): PictureProcess {
  const inTurn = oneAtATime()
  let resting: { child: ChildProcess; leave(): void } | null = null

  async function work(path: string, task: PictureTask, signal: AbortSignal | undefined): Promise<Result> {
    const child = wake()
    try {
      const { seconds, residentBytes } = limits
      const request = { path, task, limits: { pixels: LIMITS.picturePixels, residentBytes, seconds } }
      const { residentBytes: held, ...result } = await ask(child, request, signal)
      if (result.kind === 'late') throw tookTooLong(limits)
      if (result.kind === 'over') throw tookTooMuch(limits)
      if (held > residentBytes / 2) child.kill('SIGKILL')
      else rest(child)
      return result
    } catch (error) {
      child.kill('SIGKILL')
      throw error
    }
  }

  function wake(): ChildProcess {
    const child = resting?.child ?? start()
    resting?.leave()
    child.ref()
    child.channel?.ref()
    return child
  }

  /** A process that has nothing to do does not keep its parent from ending. */
  function rest(child: ChildProcess): void {
    const leave = () => {
      clearTimeout(timer)
      child.off('exit', leave)
      resting = null
    }
    const timer = setTimeout(() => {
      leave()
      child.kill('SIGKILL')
    }, limits.idleMs)
    timer.unref()
    child.unref()
    child.channel?.unref()
    child.once('exit', leave)
    resting = { child, leave }
  }

  function ask(child: ChildProcess, request: PictureRequest, signal: AbortSignal | undefined): Promise<PictureAnswer> {
    return new Promise((resolve, reject) => {
      const end = (error: unknown) => {
        settle()
        reject(error)
      }
      const onMessage = (answer: PictureAnswer) => {
        settle()
        resolve(answer)
      }
      const onExit = (code: number | null, name: NodeJS.Signals | null) => {
        if (name && CRASHES.has(name)) end(new MediaFailure('media-upload:corrupt', DAMAGED))
        else end(new Error(`The process that reads pictures was ended (${name ?? code}).`))
      }
      const onAbort = () => end(signal?.reason)
      const stuck = () => end(new Error('The process that reads pictures did not answer in time.'))
      const timer = setTimeout(stuck, Math.max(limits.seconds * 1_000 * CLOCK_FACTOR, LEAST_CLOCK_MS))
      const settle = () => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', onAbort)
        child.off('message', onMessage).off('exit', onExit).off('error', end)
      }
      child.on('message', onMessage).on('exit', onExit).on('error', end)
      signal?.addEventListener('abort', onAbort, { once: true })
      child.send(request, (error) => error && end(error))
    })
  }

  return {
    run: (path, task, signal) => inTurn(() => work(path, task, signal), signal),
  }
}

function start(): ChildProcess {
  const child = fork(new URL('./picture-program.ts', import.meta.url), {
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    // No secret of ours is within reach of a decoder. Fewer arenas give more memory back.
    env: { MALLOC_ARENA_MAX: '2' },
    execArgv: [],
    // Not in the group of a terminal: who stops this program lets the child go on until it is let go.
    detached: true,
  })
  // While a task runs, errors end it; what goes wrong besides, such as killing it, shows at the next task.
  child.on('error', () => {})
  return child
}

const DAMAGED = 'The image is damaged: it cannot be decoded. Save it again and upload it.'

function tookTooMuch({ residentBytes }: PictureLimits): MediaFailure {
  const message = `The image takes more than ${formatBytes(residentBytes)} of memory to decode. Make it smaller.`
  return new MediaFailure('media-upload:too_large', message)
}

function tookTooLong({ seconds }: PictureLimits): MediaFailure {
  return new MediaFailure(
    'media-upload:too_large',
    `The image takes longer than ${seconds} s of a processor to decode. Make it smaller.`,
  )
}
