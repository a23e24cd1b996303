import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { type Command, helpText, parseCommand, UsageError } from './main/command.ts'
import { operatorCommands } from './main/operator-commands.ts'
import { processCommands } from './main/process-commands.ts'
import { stopSignals } from './main/stop-signals.ts'

// Compiled modules are kept from one start to the next; where that folder cannot be written, they are not.
enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/almanac'))

/** The command `almanac`: finds the command, runs it, prints what it says and ends with its exit code. */
const commands: readonly Command[] = [...processCommands, ...operatorCommands]

/** Errors whose message is a sentence for the operator. All others are bugs and show where they are. */
const SENTENCES = new Set([
  'ConfigError',
  'DamagedJournalError',
  'DatabaseNotUsableError',
  'EmbeddedDatabaseError',
  'InterruptedError',
  'ProblemError',
  'Refusal',
  'SandboxFullError',
  'StartError',
])

async function run(args: readonly string[]): Promise<number> {
  const parsed = parseCommand(commands, args)
  if (!parsed) {
    const { SETTINGS } = await import('#config')
    process.stdout.write(`${helpText(commands, SETTINGS)}\n`)
    return 0
  }
  const outcome = await parsed.command.run(parsed.given, stopSignals())
  if (!outcome) return 0
  process.stdout.write(`${parsed.json ? JSON.stringify(outcome.data) : outcome.text}\n`)
  return outcome.exitCode ?? 0
}

function complain({ message }: Error): void {
  for (const line of message.split('\n')) process.stderr.write(`almanac: ${line}\n`)
}

try {
  process.exitCode = await run(process.argv.slice(2))
} catch (error) {
  if (error instanceof UsageError) {
    complain(error)
    process.exitCode = 2
  } else if (error instanceof Error && SENTENCES.has(error.name)) {
    complain(error)
    process.exitCode = 1
  } else {
    process.stderr.write(`almanac: something went wrong that should not. Please report it with these lines:\n`)
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`)
    process.exitCode = 70
  }
}
