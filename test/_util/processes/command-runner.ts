import { main } from '../../../src/main/main.ts'

/**
 * Runs commands of the operator one after the other for `runAlmanac`, each with an environment of its own as a new
 * process would have it, and sends back what a process would have printed. It ends with the process that forked it.
 */

export interface CommandToRun {
  id: number
  args: readonly string[]
  env: Readonly<Record<string, string>>
}
export interface CommandRun {
  id: number
  code: number
  stdout: string
  stderr: string
}

async function run({ id, args, env }: CommandToRun): Promise<CommandRun> {
  const printed = { stdout: '', stderr: '' }
  const { stdout, stderr } = process
  const own = { stdout: stdout.write, stderr: stderr.write, env: process.env }
  const into = (name: 'stdout' | 'stderr') => (text: string | Uint8Array) => {
    printed[name] += text
    return true
  }
  process.env = { ...env }
  stdout.write = into('stdout')
  stderr.write = into('stderr')
  try {
    process.exitCode = undefined
    await main(args)
    return { id, code: Number(process.exitCode ?? 0), ...printed }
  } finally {
    stdout.write = own.stdout
    stderr.write = own.stderr
    process.env = own.env
    process.exitCode = undefined
    // Each command listens for the signals that would stop it.
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.removeAllListeners(name)
  }
}

let before: Promise<unknown> = Promise.resolve()
process.on('message', (command: CommandToRun) => {
  before = before.then(async () => process.send?.(await run(command)))
})
process.on('disconnect', () => process.exit())
