import { readdirSync, readFileSync, statSync } from 'node:fs'
import { connect } from 'node:net'
import { serveParent } from '#processes'

/** A decoder that does what the file in it says: it looks for what it can reach, and reports it. */

export interface Prying {
  /** Files to read, folders to list. */
  paths: string[]
  socket: string
}

export interface Pried {
  reached: string[]
  uid: number | undefined
}

serveParent()
process.on('message', async ({ paths, socket }: Prying) => {
  const reached = [...paths.filter(canRead), ...((await canConnect(socket)) ? [socket] : [])]
  process.send?.({ reached, uid: process.getuid?.() } satisfies Pried)
})

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
