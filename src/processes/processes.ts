import { type ChildProcess, fork } from 'node:child_process'
import { on, once } from 'node:events'
import { keepFolder, makeFolder, OTHER_USER, PASSING, type ProgramFolder, removeFolder } from './folders.ts'
import type { Reader } from './who-program.ts'

/**
 * Files of others are read in processes of their own: what such a file takes or breaks is the process, which fails the file
 * and nothing else. The programs that run there are built on `program.ts`; README.md says what such a process has.
 */

interface Conversation {
  /** The processor's limit, which bounds the clock too. */
  seconds: number
  /** What the process reads, for errors of ours. */
  reads: string
  /** Why a file fails on which the process crashes. */
  crashed: () => Error
  signal?: AbortSignal | undefined
}

/**
 * By the clock a task may take this many times its limit of processor time. More means that the machine or its disk is
 * too busy, or that the process hangs, which is an error of ours.
 */
const CLOCK_FACTOR = 4
/** A process starts in this time also on a machine that is busy. */
const LEAST_CLOCK_MS = 5_000
/** Signals of a crash: the program's, on this file. All others come from outside: a stop, or the system short of memory. */
const CRASHES: ReadonlySet<string> = new Set(['SIGSEGV', 'SIGBUS', 'SIGABRT', 'SIGILL', 'SIGFPE'] as const)

/**
 * Processes of a program that have nothing to do are kept for the next task, for so many milliseconds. They do not keep
 * this process from ending.
 */
export function restingProcesses(program: URL, idleMs: number) {
  const resting = new Map<ChildProcess, () => void>()
  return {
    /** One that has nothing to do, or a new one. */
    wake(): ChildProcess {
      const [first] = resting
      if (!first) return startProgram(program)
      const [child, leave] = first
      leave()
      child.ref()
      child.channel?.ref()
      return child
    },
    rest(child: ChildProcess): void {
      const leave = () => {
        clearTimeout(timer)
        child.off('exit', leave)
        resting.delete(child)
      }
      const timer = setTimeout(() => {
        leave()
        endProgram(child)
      }, idleMs)
      timer.unref()
      child.unref()
      child.channel?.unref()
      child.once('exit', leave)
      resting.set(child, leave)
    },
  }
}

/** Starts a program that ends when this process does, and not by signals that are sent to a terminal or a service. */
function startProgram(program: URL): ChildProcess {
  const folder = makeFolder()
  let child: ChildProcess
  try {
    child = forkIn(folder, program)
  } catch (error) {
    if (folder) removeFolder(folder)
    throw error
  }
  // While a task runs, errors end it; what goes wrong besides, such as killing it, shows at the next task.
  child.on('error', () => {})
  if (folder) keepFolder(folder, child)
  return child
}

function forkIn(folder: ProgramFolder | null, program: URL): ChildProcess {
  return fork(program, folder?.forOther ? [String(OTHER_USER)] : [], {
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    cwd: folder?.path ?? '/',
    // No secret of ours. Fewer arenas give more memory back.
    env: { MALLOC_ARENA_MAX: '2', ...(folder && { TMPDIR: folder.forOther ? `./${PASSING}` : '.' }) },
    execArgv: [],
    // Not in the group of a terminal: who stops this program lets the child go on until it is let go.
    detached: true,
  })
}

/**
 * Ends a program at once. In a container where root may not kill what became another user, the program ends itself, as no one asks it
 * any more.
 */
export function endProgram(child: ChildProcess): void {
  if (child.exitCode !== null || child.signalCode !== null || child.kill('SIGKILL')) return
  // Only then: `close` does not come after it.
  if (child.connected) child.disconnect()
}

/**
 * Who reads the files of others here: a program is started and asked.
 *
 * @throws what starting it throws, and that it ended or gave no answer in time
 */
export async function whoReads(program = new URL('./who-program.ts', import.meta.url)): Promise<Reader> {
  const child = startProgram(program)
  const ended = new AbortController()
  child.once('close', (code, name) => ended.abort(new Error(`The process was ended (${name ?? code}).`)))
  const signal = AbortSignal.any([ended.signal, AbortSignal.timeout(PATIENCE_MS)])
  try {
    const [reader] = (await once(child, 'message', { signal })) as [Reader]
    return reader
  } catch (error) {
    throw signal.aborted ? signal.reason : error
  } finally {
    endProgram(child)
  }
}

const PATIENCE_MS = 20_000

/**
 * Sends a request to a process and yields its messages until the caller has what it wants. The clock starts again with each
 * message. The caller ends the process when this throws.
 *
 * @throws what `crashed` gives: the process crashed on the file
 * @throws Error the process was ended from outside, or the machine is too busy: the file can be tried again
 * @throws the signal's reason
 */
export async function* converse<Message>(
  child: ChildProcess,
  request: object,
  { seconds, reads, crashed, signal }: Conversation,
): AsyncGenerator<Message, void> {
  const stop = new AbortController()
  const end = (error: unknown) => stop.abort(error)
  const onAbort = () => end(signal?.reason)
  // Not `exit`, which may come before the last message.
  const onClose = (code: number | null, name: NodeJS.Signals | null) => {
    end(
      name && CRASHES.has(name) ? crashed() : new Error(`The process that reads ${reads} was ended (${name ?? code}).`),
    )
  }
  const stuck = () => end(new Error(`The process that reads ${reads} did not answer in time.`))
  const timer = setTimeout(stuck, Math.max(seconds * 1_000 * CLOCK_FACTOR, LEAST_CLOCK_MS))
  child.on('close', onClose)
  signal?.addEventListener('abort', onAbort, { once: true })
  try {
    signal?.throwIfAborted()
    const messages = on(child, 'message', { signal: stop.signal }) as AsyncIterable<[Message]>
    // What cannot be sent is for a process that is ending, and its end says more.
    child.send(request, () => {})
    if (child.exitCode !== null || child.signalCode !== null) onClose(child.exitCode, child.signalCode)
    for await (const [message] of messages) {
      yield message
      timer.refresh()
    }
  } catch (error) {
    throw stop.signal.aborted ? stop.signal.reason : error
  } finally {
    clearTimeout(timer)
    child.off('close', onClose)
    signal?.removeEventListener('abort', onAbort)
  }
}
