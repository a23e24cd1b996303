import { closeSync, openSync } from 'node:fs'

/** Paths of socket files end here: sun_path of unix(7) has 108 bytes, on macOS 104. */
const LONGEST_PATH = 103
const LONGEST_NAME = '/.s.PGSQL.65535'.length

/**
 * A path to the folder that is short enough for the sockets in it, valid in this process until it is closed. Null where
 * there is none.
 */
export function openSocketFolder(folder: string): { path: string | null; close(): void } {
  if (Buffer.byteLength(folder) + LONGEST_NAME <= LONGEST_PATH) return { path: folder, close: () => {} }
  if (process.platform !== 'linux') return { path: null, close: () => {} }
  let open: number | null = openSync(folder, 'r')
  const close = () => {
    if (open !== null) closeSync(open)
    open = null
  }
  return { path: `/proc/self/fd/${open}`, close }
}
