import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import type { Stop } from '../app.ts'

/** What a command has to say when it is done. */
export interface Outcome {
  /** Printed with `--json`, as one line. */
  data: unknown
  /** Printed without. */
  text: string
  /** Default 0. */
  exitCode?: number
}

export interface Given {
  /** By the names of the command's positionals. */
  positional(name: string): string
  /** Throws UsageError when it is missing. */
  required(option: string): string
  optional(option: string): string | null
  /** Every value of an option that may come several times. */
  all(option: string): readonly string[]
  flag(option: string): boolean
}

export interface Command {
  /** `accounts create` */
  name: string
  /** Names of the arguments that come without a dash. */
  positionals?: readonly string[]
  options?: ParseArgsOptionsConfig
  /** What comes behind the name, for help. */
  usage: string
  summary: string
  /** With null the command has printed what it had to say. */
  run(given: Given, stop: Stop): Promise<Outcome | null>
}

/** The command line cannot be understood. The message is a sentence. */
export class UsageError extends Error {
  override name = 'UsageError'
}

interface Parsed {
  command: Command
  given: Given
  json: boolean
}

/**
 * Finds the command that the arguments name and reads the rest by its options. Null when help was asked for.
 *
 * @throws UsageError
 */
export function parseCommand(commands: readonly Command[], args: readonly string[]): Parsed | null {
  const [first] = args
  if (first === undefined || first === 'help' || args.includes('--help') || args.includes('-h')) return null
  const command = commands.find(({ name }) => name.split(' ').every((word, index) => args[index] === word))
  if (!command) throw new UsageError(unknownCommand(commands, args))
  const wanted = command.positionals ?? []
  const { values, positionals } = read(command, args.slice(command.name.split(' ').length))
  if (positionals.length !== wanted.length) {
    throw new UsageError(`This is written: almanac ${command.name} ${command.usage}`.trim())
  }
  const text = (option: string) => {
    const value = values[option]
    return typeof value === 'string' ? value : null
  }
  const given: Given = {
    positional: (name) => positionals[wanted.indexOf(name)] ?? '',
    optional: text,
    all: (option) => (Array.isArray(values[option]) ? values[option].map(String) : []),
    flag: (option) => values[option] === true,
    required(option) {
      const value = text(option)
      if (value === null) throw new UsageError(`--${option} is missing: almanac ${command.name} ${command.usage}`)
      return value
    },
  }
  return { command, given, json: values.json === true }
}

function read(command: Command, args: readonly string[]): { values: Record<string, unknown>; positionals: string[] } {
  try {
    return parseArgs({
      args: [...args],
      options: { ...command.options, json: { type: 'boolean' } },
      allowPositionals: true,
      strict: true,
    })
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (!code?.startsWith('ERR_PARSE_ARGS')) throw error
    throw new UsageError(`${message.split('. ')[0]}. This is written: almanac ${command.name} ${command.usage}`.trim())
  }
}

function unknownCommand(commands: readonly Command[], args: readonly string[]): string {
  const words = args.filter((arg) => !arg.startsWith('-')).slice(0, 2)
  const alike = commands.filter(({ name }) => name.startsWith(`${words[0]} `)).map(({ name }) => name)
  if (alike.length > 0) return `There is no command ${words.join(' ')}. Available: ${alike.join(', ')}.`
  return `There is no command ${args[0]}. almanac --help lists them.`
}

/** All commands and settings. */
export function helpText(commands: readonly Command[], settings: Readonly<Record<string, SettingHelp>>): string {
  const entry = (head: string, text: string) => `  ${head}\n      ${text}`
  const commandLines = commands.map(({ name, usage, summary }) => entry(`${name} ${usage}`.trim(), summary))
  const settingLines = Object.entries(settings).map(([name, { description, fallback }]) =>
    entry(fallback ? `${name}=${fallback}` : name, description),
  )
  return `almanac: one calendar for everything that is said in public

Commands. Each takes --json for one line of JSON; --version prints the version.
${commandLines.join('\n')}

Settings, read from the environment, with what holds without them.
${settingLines.join('\n')}`
}

interface SettingHelp {
  description: string
  fallback: string | null
}
