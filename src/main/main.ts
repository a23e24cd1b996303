import manifest from '../../package.json' with { type: 'json' }
import { databaseFaultOf } from '../app.ts'
import { backupCommands } from './backup-commands.ts'
import { type Command, helpText, parseCommand, UsageError } from './command.ts'
import { operatorCommands } from './operator-commands.ts'
import { processCommands } from './process-commands.ts'
import { stopSignals } from './stop-signals.ts'

const commands: readonly Command[] = [...processCommands, ...backupCommands, ...operatorCommands]

/** Errors whose message is a sentence for the operator. All others are bugs and show where they are. */
const SENTENCES = new Set([
  'BackupError',
  'ConfigError',
  'DamagedJournalError',
  'DatabaseNotUsableError',
  'EmbeddedDatabaseError',
  'InterruptedError',
  'ProblemError',
  'Refusal',
  'SandboxFullError',
  'StartError',
  'TableCopyError',
])

async function run(args: readonly string[]): Promise<number> {
  if (args.length === 1 && (args[0] === '--version' || args[0] === '-V')) {
    process.stdout.write(`${manifest.version}\n`)
    return 0
  }
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

function complain(message: string): void {
  for (const line of message.split('\n')) process.stderr.write(`almanac: ${line}\n`)
}

/** Runs the command that the arguments name, prints its outcome and sets the exit code. */
export async function main(args: readonly string[]): Promise<void> {
  try {
    process.exitCode = await run(args)
  } catch (error) {
    await fail(error)
  }
}

async function fail(error: unknown): Promise<void> {
  if (error instanceof UsageError || (error instanceof Error && SENTENCES.has(error.name))) {
    complain(error.message)
    process.exitCode = error instanceof UsageError ? 2 : 1
    return
  }
  const fault = await databaseFaultOf(error)
  if (fault !== null) {
    complain(`${fault} Try again when that is mended; "almanac doctor" says more.`)
    process.exitCode = 1
  } else {
    process.stderr.write(`almanac: something went wrong that should not. Please report it with these lines:\n`)
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`)
    process.exitCode = 70
  }
}
