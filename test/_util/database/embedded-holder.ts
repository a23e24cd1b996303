import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { commandOf } from '../processes/namespaces.ts'

const projectDir = join(import.meta.dirname, '../../..')

/** What the process said: the database's address, or why there is none. */
export interface Reported {
  url?: string
  adopted?: boolean
  error?: string
}

/**
 * Opens an embedded database in a process of its own, with an empty environment. It can be killed.
 *
 * @param options.within what the process is begun with, as `ELSEWHERE`
 */
export function holdEmbeddedDatabase(
  dataDir: string,
  mode: 'own' | 'join',
  options: { uid?: number; within?: readonly string[] } = {},
) {
  const script = join(import.meta.dirname, 'hold-embedded-database.ts')
  const [program = '', ...args] = [...(options.within ?? []), process.execPath, script, dataDir, mode, projectDir]
  const child = spawn(program, args, {
    // No LANG, no PATH, nothing.
    env: options.within ? { PATH: process.env.PATH } : {},
    stdio: ['pipe', 'pipe', 'inherit'],
    ...(options.uid === undefined ? {} : { uid: options.uid, gid: options.uid }),
  })
  let killed = false
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const reported = new Promise<Reported>((resolve) => {
    let text = ''
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
      if (text.endsWith('\n')) resolve(JSON.parse(text))
    })
    child.once('exit', () => resolve({}))
  })
  return {
    pid: child.pid,
    reported,
    /** Ends it in order: the database is stopped as its mode says. */
    async release() {
      child.stdin.end()
      if (killed) child.kill('SIGKILL')
      await ended
    },
    /** With what it was begun with. */
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
    /** The one process alone, which runs elsewhere: what it started runs on there. */
    async killInside() {
      killed = true
      const pid = await commandOf(child.pid ?? 0)
      process.kill(pid, 'SIGKILL')
      while (existsSync(`/proc/${pid}`)) await delay(5)
    },
  }
}
