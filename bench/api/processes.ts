import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline/promises'

/** The kernel counts processor time in hundredths of a second. */
const TICK_MS = 10

/** Processor time of a process so far, in milliseconds; with its children that have ended, when they are wanted. */
export function processorMs(pid: number, { ended = false } = {}): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
  // Behind the name, which may hold anything: state is the first, utime the twelfth.
  const fields = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number)
  const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11)
  return TICK_MS * (user + system + (ended ? endedUser + endedSystem : 0))
}

/** Processor time of a process and of all that it has started, in milliseconds. */
export function processorMsOfTree(pid: number): number {
  const children = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && parentOf(Number(name)) === pid)
  return children.reduce((sum, child) => sum + read(Number(child)), processorMs(pid, { ended: true }))
}

/** One that has just ended is counted by its parent. */
function read(pid: number): number {
  try {
    return processorMs(pid, { ended: true })
  } catch {
    return 0
  }
}

export function parentOf(pid: number): number | null {
  try {
    return Number(/^PPid:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1])
  } catch {
    return null
  }
}

export interface Floor {
  url: string
  pid: number
  stop(): void
}

/** Starts the floor as a process of its own. */
export async function startFloor(settings: {
  DATABASE_URL: string
  FLOOR_ACCOUNT: string
  FLOOR_TOTAL: string
  /** Not empty: its statements are prepared once. */
  FLOOR_PREPARES: string
  FLOOR_VALIDATED: string
}): Promise<Floor> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'floor.ts')], {
    env: { PATH: process.env.PATH, ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  for await (const url of createInterface(child.stdout)) {
    return { url, pid: child.pid ?? 0, stop: () => void child.kill() }
  }
  throw new Error('The floor did not start.')
}
