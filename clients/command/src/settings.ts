import { chmod, mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { Almanac } from '../../typescript/src/index.ts'
import { type Io, WrongUse } from './io.ts'

interface Settings {
  url: string
  key: string
}

export function settingsPath({ env }: Pick<Io, 'env'>): string {
  const folder = env.XDG_CONFIG_HOME || join(env.HOME || homedir(), '.config')
  return join(folder, 'almanac', 'config.json')
}

/**
 * The client of what `login` kept, or of `ALMANAC_URL` and `ALMANAC_KEY`, which win.
 *
 * @throws WrongUse when address or key is missing
 */
export async function openClient(io: Io): Promise<Almanac> {
  const kept = await readSettings(io)
  const url = io.env.ALMANAC_URL || kept.url
  const key = io.env.ALMANAC_KEY || kept.key
  if (!url || !key) {
    throw new WrongUse('No address and key: run `almanac-post login`, or set ALMANAC_URL and ALMANAC_KEY.')
  }
  // A key is for one service: that of the file is not sent to another address.
  if (io.env.ALMANAC_URL && !io.env.ALMANAC_KEY && kept.url && !sameOrigin(io.env.ALMANAC_URL, kept.url)) {
    throw new WrongUse('ALMANAC_URL is another service than the one of the kept key: set ALMANAC_KEY too.')
  }
  return clientOf(io, { url, key })
}

/** @throws WrongUse when they cannot be right */
export function clientOf({ fetch }: Io, { url, key }: Settings): Almanac {
  try {
    return new Almanac({ url, key, fetch })
  } catch (error) {
    throw new WrongUse((error as Error).message)
  }
}

async function readSettings(io: Io): Promise<Partial<Settings>> {
  const path = settingsPath(io)
  let text: string
  try {
    const { mode } = await stat(path)
    if (mode & 0o077) io.report(`Others on this machine can read ${path}, which has your key: chmod 600 it.\n`)
    text = await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {}
    throw new WrongUse(`${path} cannot be read: ${(error as Error).message}`)
  }
  try {
    const { url, key } = JSON.parse(text)
    return { url, key }
  } catch {
    throw new WrongUse(`${path} is not JSON. Run \`almanac-post login\` again.`)
  }
}

/** Keeps them in a file that only this user can read. */
export async function keepSettings(io: Io, settings: Settings): Promise<string> {
  const path = settingsPath(io)
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const beside = `${path}.${process.pid}`
  await writeFile(beside, `${JSON.stringify(settings, null, 2)}\n`, { mode: 0o600 })
  await chmod(beside, 0o600)
  await rename(beside, path)
  return path
}

const sameOrigin = (one: string, other: string) => originOf(one) === originOf(other)

function originOf(url: string): string | null {
  try {
    return new URL(url).origin
  } catch {
    return null
  }
}
