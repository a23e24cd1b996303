import { readdirSync, readFileSync, renameSync, statSync, symlinkSync } from 'node:fs'
import { connect } from 'node:net'
import { dirname } from 'node:path'
import { serveParent } from '#processes'

/** A decoder that does what the file in it says: it looks for what it can reach, and reports it. */

export interface Prying {
  /** Files to read, folders to list. */
  paths: string[]
  socket: string
  /** A file that links are to lead to from what is written to in its folder. */
  target?: string
}

export interface Pried {
  /** The links that could be made. */
  planted: string[]
  reached: string[]
  uid: number | undefined
}

serveParent()
process.on('message', async ({ paths, socket, target }: Prying) => {
  const planted = target ? plant(target) : []
  const reached = [...paths.filter(canRead), ...((await canConnect(socket)) ? [socket] : [])]
  process.send?.({ planted, reached, uid: process.getuid?.() } satisfies Pried)
})

/** A link in its folder, one beside, and one in the place of its folder. */
function plant(target: string): string[] {
  const here = process.cwd()
  const tries: Record<string, () => void> = {
    file: () => symlinkSync(target, './file'),
    passing: () => symlinkSync(target, './passing/file'),
    folder: () => {
      renameSync(here, `${here}.away`)
      symlinkSync(dirname(target), here)
    },
  }
  return Object.entries(tries).flatMap(([name, make]) => {
    try {
      make()
      return [name]
    } catch {
      return []
    }
  })
}

function canRead(path: string): boolean {
  try {
    if (statSync(path).isDirectory()) readdirSync(path)
    else readFileSync(path)
    return true
  } catch {
    return false
  }
}

const canConnect = (path: string) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(path, () => resolve(true)).on('error', () => resolve(false))
    socket.on('connect', () => socket.destroy())
  })
