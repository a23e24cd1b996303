import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import type { CommandRun, CommandToRun } from './command-runner.ts'

let runner: ChildProcess | undefined
const waiting = new Map<number, { resolve(run: CommandRun): void; reject(error: Error): void }>()
let last = 0

/**
 * Runs a command of the operator in the process that runs all commands of this file's tests and of the files after it.
 * A process of its own spends nearly all of its time on loading modules. `env` is the whole environment of the command.
 */
export function runCommand(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Omit<CommandRun, 'id'>> {
  runner ??= startRunner()
  const command: CommandToRun = { id: ++last, args, env }
  return new Promise((resolve, reject) => {
    waiting.set(command.id, { resolve: ({ id, ...run }) => resolve(run), reject })
    runner?.ref()
    runner?.channel?.ref()
    runner?.send(command)
  })
}

function startRunner(): ChildProcess {
  const child = fork(join(import.meta.dirname, 'command-runner.ts'), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  child.on('message', (run: CommandRun) => {
    waiting.get(run.id)?.resolve(run)
    waiting.delete(run.id)
    idle(child)
  })
  child.once('exit', (code, signal) => {
    runner = undefined
    const error = new Error(`The process that runs commands ended with ${code ?? signal}.`)
    for (const { reject } of waiting.values()) reject(error)
    waiting.clear()
  })
  return child
}

/** While no command runs, the child keeps no process from ending. */
function idle(child: ChildProcess): void {
  if (waiting.size > 0) return
  child.unref()
  child.channel?.unref()
}
