import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PLAN_NAMES, type Plan, type PlanName } from '#contract'
import { recordingOptions } from '../asserted/record-answers.ts'
import { runCommand } from './commands.ts'

const projectDir = join(import.meta.dirname, '../../..')

/** Settings of a process. Nothing else of the test's own environment reaches it. */
export type Settings = Readonly<Record<string, string>>

export interface Finished {
  code: number | null
  stdout: string
  stderr: string
}

/** `first-sign-in.json`: the demo account's secrets, or the address of the setup where there is no demo account. */
export interface FirstSignIn {
  dashboard: string
  ownerEmail: string
  ownerPassword: string
  key: string
  setup: string
}

/** Settings under which a process takes its standard output for a terminal. */
export const AT_TERMINAL: Settings = {
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent('process.stdout.isTTY = true')}`,
}

export const firstSignInFile = (dataDir: string) => join(dataDir, 'first-sign-in.json')

export interface RunningAlmanac {
  process: ChildProcess
  /** Without a slash at the end; of the first address that the process reported. */
  url: string
  stdout(): string
  stderr(): string
  /** What the first start wrote for the first person who signs in, since its standard output is no terminal. */
  firstSignIn(): Promise<FirstSignIn>
  /** Sends a signal; the process may take its time. */
  signal(name: NodeJS.Signals): void
  ended: Promise<Finished>
  /** Asks the process to end and waits until it has. */
  stop(): Promise<Finished>
}

/** A folder for the data of one installation, outside of the project. */
export async function makeDataDir(): Promise<{ path: string; remove(): Promise<void> }> {
  const parent = await mkdtemp(join(tmpdir(), 'almanac-app-'))
  // As root, the database runs as another user, who has to pass through.
  await chmod(parent, 0o711)
  return { path: join(parent, 'data'), remove: () => rm(parent, { recursive: true, force: true }) }
}

/** Settings under which accounts may ask as often as they like: for tests about other things than the rate. */
export function withAnyRate(dataDir: string): Promise<Settings> {
  return withPlans(dataDir, Object.fromEntries(PLAN_NAMES.map((name) => [name, { requestsPerSecond: 1_000_000 }])))
}

/** Settings under which plans differ from the shipped ones. Their file lies beside the data and goes with it. */
export async function withPlans(dataDir: string, changes: Partial<Record<PlanName, Partial<Plan>>>): Promise<Settings> {
  const path = join(dataDir, '../plans.json')
  await writeFile(path, JSON.stringify(changes))
  return { ALMANAC_PLANS: path }
}

export interface CommandOptions {
  settings: Settings
  /** What the command reads; with it the command gets a process of its own. */
  input?: string
  /** In a process of its own, as users run it: for tests about the process itself. It takes half a second longer. */
  alone?: boolean
  /** Another checkout than this one. */
  projectDir?: string
}

const PROCESSES: readonly (string | undefined)[] = ['up', 'api', 'worker', 'sandbox']

/** Runs a command of `almanac` to its end: one of the operator in a process that other commands ran in before. */
export async function runAlmanac(args: readonly string[], options: CommandOptions): Promise<Finished> {
  const alone =
    options.alone ||
    options.input !== undefined ||
    options.projectDir !== undefined ||
    options.settings.NODE_OPTIONS !== undefined ||
    PROCESSES.includes(args[0])
  if (!alone) return runCommand(args, { PATH: process.env.PATH ?? '', ...options.settings })
  const child = spawnAlmanac(args, options.settings, options.projectDir)
  child.process.stdin?.end(options.input ?? '')
  return child.ended
}

/** Runs a command with `--json` and gives what it printed; throws when it failed or printed anything else. */
export async function almanacJson<T>(args: readonly string[], options: CommandOptions): Promise<T> {
  const { code, stdout, stderr } = await runAlmanac([...args, '--json'], options)
  if (code !== 0) throw new Error(`almanac ${args.join(' ')} ended with ${code}: ${stderr}`)
  if (!/^[^\n]*\n$/.test(stdout)) throw new Error(`almanac ${args.join(' ')} printed more than a line: ${stdout}`)
  return JSON.parse(stdout) as T
}

/** Starts one of the processes and waits until it says that it is ready. Throws with its words when it ends instead. */
export async function startAlmanac(options: {
  process?: 'up' | 'api' | 'worker' | 'sandbox'
  settings: Settings
  projectDir?: string
  within?: readonly string[]
}): Promise<RunningAlmanac> {
  const child = spawnAlmanac([options.process ?? 'up'], options.settings, options.projectDir, options.within)
  child.process.stdin?.end()
  const ready = new Promise<string>((resolve) => {
    child.process.stdout?.on('data', () => {
      const [, url] = /(?:is running|is ready|health is) at (http:\/\/\S+?)(?:\/healthz)?\n/.exec(child.stdout()) ?? []
      if (url) resolve(url)
    })
  })
  const url = await Promise.race([ready, child.ended.then(() => null)])
  if (url === null) throw new Error(`almanac ${options.process ?? 'up'} did not start: ${child.stderr()}`)
  return {
    ...child,
    url,
    async firstSignIn() {
      return JSON.parse(await readFile(firstSignInFile(options.settings.ALMANAC_DATA_DIR ?? ''), 'utf8'))
    },
    signal: (name) => void child.process.kill(name),
    stop() {
      child.process.kill('SIGTERM')
      return child.ended
    },
  }
}

/**
 * Starts a command of `almanac` and waits for nothing: of the server as it is built, as `npm start` does.
 *
 * @param settings with `ALMANAC_FROM_SOURCE`, its sources are run
 * @param checkout another one is run from its sources
 * @param within what it is begun with, such as `ELSEWHERE`
 */
export function spawnAlmanac(
  args: readonly string[],
  settings: Settings,
  checkout = projectDir,
  within: readonly string[] = [],
) {
  const { ALMANAC_FROM_SOURCE, ...own } = settings
  const main = checkout === projectDir && !ALMANAC_FROM_SOURCE ? builtServer() : join(checkout, 'src/main.ts')
  const [program = '', ...more] = [...within, process.execPath, main, ...args]
  const child = spawn(program, more, {
    env: { PATH: process.env.PATH ?? '', ...own, ...recording(own) },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  const ended = new Promise<Finished>((resolve) => child.once('close', (code) => resolve({ code, stdout, stderr })))
  return { process: child, ended, stdout: () => stdout, stderr: () => stderr }
}

let built: string | undefined

/** The program that `npm start` runs, built of the sources of now. */
export function builtServer(): string {
  built ??= execFileSync(process.execPath, [join(projectDir, 'scripts/build-server.mjs')], { encoding: 'utf8' }).trim()
  return built
}

/** What lets a process record its answers, in a run that is recorded. */
function recording({ NODE_OPTIONS = '' }: Settings): Settings {
  const options = recordingOptions()
  return options.length > 0 ? { NODE_OPTIONS: [NODE_OPTIONS, ...options].join(' ').trim() } : {}
}
