import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'

const WATCH_MS = 20

/** Remembers the most memory that was resident until `stop`. */
export function watchPeak(root: number): { stop(): Promise<number> } {
  let peak = 0
  let on = true
  const watching = (async () => {
    while (on) {
      peak = Math.max(peak, await resident(root))
      await pause(WATCH_MS)
    }
  })()
  return {
    async stop() {
      on = false
      await watching
      return peak
    },
  }
}

/** Bytes that a process and all below it have resident, PostgreSQL aside: its memory is shared and counted elsewhere. */
export async function resident(root: number): Promise<number> {
  const processes = new Map<number, { parent: number; name: string; bytes: number }>()
  for (const name of (await readdir('/proc')).filter((entry) => /^\d+$/.test(entry))) {
    const status = await readFile(`/proc/${name}/status`, 'utf8').catch(() => '')
    const field = (key: string) => new RegExp(`^${key}:\\s+(\\S+)`, 'm').exec(status)?.[1] ?? ''
    processes.set(Number(name), {
      parent: Number(field('PPid')),
      name: field('Name'),
      bytes: Number(field('VmRSS')) * 1024,
    })
  }
  const isBelow = (pid: number): boolean =>
    pid === root || (processes.has(pid) && isBelow(processes.get(pid)?.parent ?? 0))
  return [...processes]
    .filter(([pid, { name }]) => isBelow(pid) && name !== 'postgres')
    .reduce((sum, [, { bytes }]) => sum + bytes, 0)
}
