import type { ChildProcess } from 'node:child_process'
import { LIMITS } from '#contract'
import { converse, endProgram, type FileToRead, lendFile, restingProcesses, type TaskLimits } from '#processes'
import { formatBytes, MediaFailure } from './failure.ts'
import { oneAtATime } from './one-at-a-time.ts'
import type { PictureAnswer, PictureRequest, PictureResult, PictureTask } from './picture-program.ts'

interface PictureLimits extends TaskLimits {
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
  run(file: FileToRead, task: PictureTask, signal?: AbortSignal): Promise<Result>
}

export type Result = Exclude<PictureResult, { kind: 'late' | 'over' }>

/**
 * Decoders of pictures are native code: no heap limit bounds what they take, and a file of a megabyte can ask for
 * gigabytes. The process starts with the first picture and ends when it has nothing to do or has grown.
 */
export function createPictureProcess(limits: PictureLimits): PictureProcess {
  const inTurn = oneAtATime()
  const processes = restingProcesses(new URL('./picture-program.ts', import.meta.url), limits.idleMs)

  async function work(file: FileToRead, task: PictureTask, signal: AbortSignal | undefined): Promise<Result> {
    const child = processes.wake()
    try {
      const { seconds, residentBytes } = limits
      await using lent = await lendFile(child, file, signal)
      const request = { path: lent.path, task, limits: { pixels: LIMITS.picturePixels, residentBytes, seconds } }
      const { residentBytes: held, ...result } = await ask(child, request, signal)
      if (result.kind === 'late') throw tookTooLong(limits)
      if (result.kind === 'over') throw tookTooMuch(limits)
      if (held > residentBytes / 2) endProgram(child)
      else processes.rest(child)
      return result
    } catch (error) {
      endProgram(child)
      throw error
    }
  }

  async function ask(child: ChildProcess, request: PictureRequest, signal?: AbortSignal): Promise<PictureAnswer> {
    const answers = converse<PictureAnswer>(child, request, {
      seconds: limits.seconds,
      reads: 'pictures',
      crashed: () => new MediaFailure('media-upload:corrupt', DAMAGED),
      signal,
    })
    for await (const answer of answers) return answer
    throw new Error('The process that reads pictures gave no answer.')
  }

  return {
    run: (file, task, signal) => inTurn(() => work(file, task, signal), signal),
  }
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
