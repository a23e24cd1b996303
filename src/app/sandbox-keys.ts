import { randomUUID } from 'node:crypto'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { SigningKeys } from '#networks'

/** How many keys are kept, the newest first. */
const KEPT = 10
const KEY = /^[A-Za-z0-9+/]{43}=$/

/**
 * The keys of the simulators with those that they signed with earlier, which are kept beside their records: tokens of
 * demo accounts have no end, and stay good when the secret key is changed. They open nothing but the sandbox.
 *
 * @param folder of the sandbox, whose lock the caller holds
 */
export async function withEarlierKeys(folder: string, keys: SigningKeys): Promise<SigningKeys> {
  const path = join(folder, 'keys')
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw error
  })
  const kept = text.split('\n').filter((line) => KEY.test(line))
  const [first, ...others] = keys
  const lines = [...new Set([...keys.map((key) => key.toString('base64')), ...kept])].slice(0, KEPT)
  if (lines.some((line) => !kept.includes(line))) await replaceFile(path, `${lines.join('\n')}\n`)
  const earlier = lines.slice(keys.length).map((line) => Buffer.from(line, 'base64'))
  return [first, ...others, ...earlier]
}

async function replaceFile(path: string, text: string): Promise<void> {
  const draft = `${path}.${randomUUID()}`
  try {
    await writeFile(draft, text, { mode: 0o600, flag: 'wx', flush: true })
    await rename(draft, path)
  } finally {
    await rm(draft, { force: true })
  }
}
