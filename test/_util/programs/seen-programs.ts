import { once } from 'node:events'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { createServer } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { endProgram, restingProcesses } from '#processes'

/** Starts the programs that it is given, while it has open what a server has, and prints what each has. */

export interface SeenProgram {
  environment: string[]
  /** What is open beyond input, output, errors and the channel, and is not Node's own. */
  open: string[]
  folder: string
  folderHas: string[]
  uid: number
  gid: number
  groups: string
}

const [file = '', ...programs] = process.argv.slice(2)
await using held = await open(file, 'r')
const server = createServer().listen(0, '127.0.0.1')
await once(server, 'listening')
const seen: SeenProgram[] = []
for (const program of programs) {
  const child = restingProcesses(new URL(program), 1_000).wake()
  seen.push(await look(child.pid ?? 0))
  const ended = once(child, 'close')
  endProgram(child)
  await ended
}
server.close()
process.stdout.write(JSON.stringify({ seen, held: held.fd }))

async function look(pid: number): Promise<SeenProgram> {
  const at = (name: string) => `/proc/${pid}/${name}`
  const status = () => readFileSync(at('status'), 'latin1')
  const field = (name: string) => new RegExp(`^${name}:[ \\t]*(.*)$`, 'm').exec(status())?.[1] ?? ''
  // It heeds SIGHUP, which is the last that it does before it waits for files.
  while ((Number.parseInt(field('SigCgt').slice(-1), 16) & 1) === 0) await pause(5)
  const folder = readlinkSync(at('cwd'))
  const links = readdirSync(at('fd')).flatMap((fd) => {
    try {
      return Number(fd) > 3 ? [readlinkSync(at(`fd/${fd}`))] : []
    } catch {
      return []
    }
  })
  return {
    environment: readFileSync(at('environ'), 'latin1')
      .split('\0')
      .filter((line) => line && !line.startsWith('NODE_CHANNEL_')),
    open: links.filter((link) => !/^(anon_inode:|pipe:|\/dev\/null$)/.test(link)),
    folder,
    folderHas: readdirSync(folder),
    uid: Number(field('Uid').split('\t')[0]),
    gid: Number(field('Gid').split('\t')[0]),
    groups: field('Groups').trim(),
  }
}
