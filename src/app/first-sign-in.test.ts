import { chmod, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { removeSetupAddress, writeFirstSignIn } from './first-sign-in.ts'

let dataDir: string
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'almanac-first-'))
})
afterEach(() => rm(dataDir, { recursive: true }))

test('a file that others made under that name is replaced, not written into', async () => {
  const path = join(dataDir, 'first-sign-in.json')
  for (const name of [path, `${path}.new`]) {
    await writeFile(name, 'left by another program')
    await chmod(name, 0o666)
  }
  const { ino } = await stat(path)
  expect(await writeFirstSignIn(dataDir, { setup: 'https://almanac.test/dashboard/setup#code=x' })).toBe(path)
  const now = await stat(path)
  expect([now.ino === ino, now.mode & 0o777]).toEqual([false, 0o600])
  expect(JSON.parse(await readFile(path, 'utf8'))).toEqual({ setup: 'https://almanac.test/dashboard/setup#code=x' })
})

test('processes that start at once each write a whole file, and what killed ones left goes', async () => {
  const left = join(dataDir, 'first-sign-in.json.new-0123abcd')
  await writeFile(left, 'half')
  await utimes(left, new Date(0), new Date(0))
  await Promise.all([...Array(20).keys()].map((count) => writeFirstSignIn(dataDir, { setup: `${count}` })))
  expect(await readdir(dataDir)).toEqual(['first-sign-in.json'])
  expect(JSON.parse(await readFile(join(dataDir, 'first-sign-in.json'), 'utf8')).setup).toMatch(/^\d+$/)
})

test('with the first account the address of the setup goes, and the secrets of a demo account stay', async () => {
  await removeSetupAddress(dataDir)
  const path = await writeFirstSignIn(dataDir, { setup: 'https://almanac.test/dashboard/setup#code=x' })
  await removeSetupAddress(dataDir)
  await expect(stat(path)).rejects.toThrow('ENOENT')
  await writeFirstSignIn(dataDir, { dashboard: '', ownerEmail: '', ownerPassword: 'setup', key: '' })
  await removeSetupAddress(dataDir)
  expect(await readFile(path, 'utf8')).toContain('ownerPassword')
})
