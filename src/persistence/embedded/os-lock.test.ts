import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tryLock } from './os-lock.ts'

test('a lock is held once, and needs no second file: that would take room on a full disk, and belong to one user', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'almanac-lock-'))
  const path = join(folder, 'owner.lock')
  const lock = await tryLock(path)
  expect(lock).not.toBeNull()
  expect(await tryLock(path)).toBeNull()
  expect(await readdir(folder)).toEqual(['owner.lock'])
  lock?.release()
  const next = await tryLock(path)
  expect(next).not.toBeNull()
  next?.release()
  await rm(folder, { recursive: true })
})
