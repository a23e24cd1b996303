import { type ChildProcess, spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parentOf, processorMs } from '../api/processes.ts'
import { endWithUs } from '../lateness/processes.ts'

/** A process and all that come from it, with those of the PostgreSQL server in its data folder. */
export interface Tree {
  pids: number[]
  /** Memory, shared pages divided among those who have them. */
  mebibytes: number
}

const PROC = '/proc'

/** @param dataDir of the embedded server, whose processes may have another parent */
export function readTree(root: number, dataDir: string): Tree {
  const all = readdirSync(PROC).filter((name) => /^\d+$/.test(name))
  const parents = new Map(all.map((name) => [Number(name), parentOf(Number(name))]))
  const roots = new Set([root, postmasterIn(dataDir)])
  const isBelow = (pid: number | null | undefined): boolean =>
    pid != null && (roots.has(pid) || isBelow(parents.get(pid)))
  const pids = [...parents.keys()].filter(isBelow)
  return { pids, mebibytes: pids.reduce((sum, pid) => sum + proportionalKib(pid), 0) / 1024 }
}

/** Processor time of all of them so far, with that of their children that have ended. */
export function processorMsOf(root: number, dataDir: string): number {
  return readTree(root, dataDir).pids.reduce((sum, pid) => {
    try {
      return sum + processorMs(pid, { ended: true })
    } catch {
      return sum
    }
  }, 0)
}

function postmasterIn(dataDir: string): number | null {
  try {
    return Number(readFileSync(join(dataDir, 'postgres/cluster/postmaster.pid'), 'utf8').split('\n')[0])
  } catch {
    return null
  }
}

function proportionalKib(pid: number): number {
  try {
    return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`${PROC}/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0)
  } catch {
    return 0
  }
}

export interface Started {
  pid: number
  /** From the start of the process to the line that says that it is ready. */
  readyMs: number
  /** Processor time of the process until then; without its children. */
  processorMs: number
  stop(): Promise<void>
}

const READY = /(?:is running|is ready) at http/

/** Starts a program and waits for the line that says that it is ready. */
export async function startUntilReady(
  [file, ...args]: readonly [string, ...string[]],
  settings: Readonly<Record<string, string>>,
): Promise<Started> {
  const since = performance.now()
  const child = spawn(file, args, {
    cwd: join(import.meta.dirname, '../..'),
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  endWithUs(child)
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  await untilReady(child)
  const readyMs = performance.now() - since
  const pid = child.pid ?? 0
  return {
    pid,
    readyMs,
    processorMs: processorMs(pid),
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
  }
}

function untilReady(child: ChildProcess): Promise<void> {
  let said = ''
  return new Promise((resolve, reject) => {
    const hear = (text: Buffer) => {
      said += text
      if (READY.test(said)) resolve()
    }
    child.stdout?.on('data', hear)
    child.stderr?.on('data', hear)
    child.once('close', (code) => reject(new Error(`A program ended with ${code}: ${said}`)))
  })
}
