import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The superuser's address on the embedded server of a data directory, which the product's own code never hands out. */
export async function superuserUrl(dataDir: string, url: string): Promise<string> {
  const moved = await readFile(join(dataDir, 'postgres-location'), 'utf8').catch(() => null)
  const password = await readFile(join(moved?.trim() ?? join(dataDir, 'postgres'), 'password'), 'utf8')
  return Object.assign(new URL(url), { username: 'almanac', password: password.trim() }).href
}
