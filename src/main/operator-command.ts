import { type Operator, withOperator } from '../app.ts'
import { type Command, type Given, type Outcome, UsageError } from './command.ts'

/** A command that opens the installation, calls one operation and prints what it gave. */
export function operatorCommand(
  command: Omit<Command, 'run'>,
  work: (operator: Operator, given: Given) => Promise<Outcome>,
): Command {
  return {
    ...command,
    run: (given, stop) => withOperator((operator) => work(operator, given), stop),
  }
}

export const text = { type: 'string' } as const
export const flag = { type: 'boolean' } as const

/** What stands between the commas. */
export function list(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
}

/** One line per field, for people. */
export function fields(data: object): Outcome {
  const width = Math.max(...Object.keys(data).map((name) => name.length))
  const lines = Object.entries(data).map(([name, value]) => `${name.padEnd(width)}  ${value ?? '-'}`)
  return { data, text: lines.join('\n') }
}

/** One line per row, for people. */
export function rows(data: readonly object[], shown: readonly string[]): Outcome {
  const cells = data.map((row) => shown.map((name) => String((row as Record<string, unknown>)[name] ?? '-')))
  const widths = shown.map((_, column) => Math.max(0, ...cells.map((row) => row[column]?.length ?? 0)))
  const lines = cells.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
  return { data, text: lines.length === 0 ? 'None.' : lines.join('\n') }
}

/** @throws UsageError when there are no simulators here */
export function requireSandbox({ config }: Operator): void {
  if (!config.sandbox.on) throw new UsageError('The sandbox is off here: set ALMANAC_SANDBOX=on to use --sandbox.')
}
