import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { access, copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface, type Interface } from 'node:readline'
import { promisify } from 'node:util'
import { freePort } from '../../test/_util/processes/ports.ts'

/** A program of this folder that runs, and answers a line for each that it is sent. */
export interface Program {
  pid: number
  /** Its first line. */
  said: string
  /** Sends a line and waits for the answer. */
  ask(): Promise<string>
  stop(): void
}

/** Starts a program of this folder and waits for its first line. */
export function startProgram(name: string, settings: Record<string, string>): Promise<Program> {
  const child = spawn(process.execPath, [join(import.meta.dirname, name)], {
    env: { PATH: process.env.PATH, ...settings },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  return started(child)
}

/** Not even a run that is broken off leaves a program behind. */
export function endWithUs(child: ChildProcess): void {
  process.once('exit', () => child.kill())
}

async function started(child: ChildProcess): Promise<Program> {
  endWithUs(child)
  if (!child.stdout) throw new Error('A program has no output.')
  const next = linesOf(createInterface(child.stdout), child)
  const said = await next()
  return {
    pid: child.pid ?? 0,
    said,
    ask() {
      child.stdin?.write('\n')
      return next()
    },
    stop: () => void child.kill(),
  }
}

/** @throws Error when the program ends instead */
function linesOf(lines: Interface, child: ChildProcess): () => Promise<string> {
  const waiting: PromiseWithResolvers<string>[] = []
  const come: string[] = []
  lines.on('line', (line) => {
    const first = waiting.shift()
    if (first) first.resolve(line)
    else come.push(line)
  })
  child.on('exit', (code) => {
    for (const each of waiting) each.reject(new Error(`A program ended with ${code}.`))
  })
  return () => {
    const line = come.shift()
    if (line !== undefined) return Promise.resolve(line)
    const next = Promise.withResolvers<string>()
    waiting.push(next)
    return next.promise
  }
}

/** A Redis server with its defaults, in a folder of its own; null where there is none on this machine. */
export async function startRedis(): Promise<{ pid: number; port: string; stop(): Promise<void> } | null> {
  const port = await freePort()
  const dir = await mkdtemp(join(tmpdir(), 'almanac-redis-'))
  // Nothing is kept: at its end it would save, and does not end when it cannot.
  const child = spawn('redis-server', ['--port', port, '--bind', '127.0.0.1', '--dir', dir, '--save', ''], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  endWithUs(child)
  const stop = async () => {
    child.kill()
    await rm(dir, { recursive: true, force: true })
  }
  const ready = await new Promise<boolean>((resolve) => {
    child.on('error', () => resolve(false))
    createInterface(child.stdout).on('line', (line) => line.includes('Ready to accept') && resolve(true))
  })
  if (ready) return { pid: child.pid ?? 0, port, stop }
  await stop()
  return null
}

/**
 * Installs BullMQ, as `bullmq/package-lock.json` pins it, into a temporary folder; null when it cannot be had.
 *
 * @param given a folder where it is installed already
 */
export async function installBullMq(given: string): Promise<{ dir: string; remove(): Promise<void> } | null> {
  if (given !== '') return { dir: given, async remove() {} }
  const dir = await mkdtemp(join(tmpdir(), 'almanac-bullmq-'))
  const remove = () => rm(dir, { recursive: true, force: true })
  for (const file of ['package.json', 'package-lock.json']) {
    await copyFile(join(import.meta.dirname, 'bullmq', file), join(dir, file))
  }
  try {
    await promisify(execFile)('npm', ['install', '--no-save', '--ignore-scripts', '--no-audit', '--no-fund'], {
      cwd: dir,
    })
    await access(join(dir, 'node_modules/bullmq/package.json'))
    return { dir, remove }
  } catch (error) {
    console.error(`BullMQ could not be installed: ${(error as Error).message.split('\n').slice(0, 3).join(' ')}`)
    await remove()
    return null
  }
}
