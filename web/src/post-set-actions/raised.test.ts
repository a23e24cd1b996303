import { expect, test } from 'vitest'
import { raised } from './raised.ts'

test('a change that raised the version can be taken back by it; one that changed nothing cannot', async () => {
  const before = { id: 'a', version: 3 }
  expect(await raised(before, async () => ({ id: 'a', version: 4, more: true }))).toEqual([{ id: 'a', version: 4 }])
  expect(await raised(before, async (version) => version)).toEqual([])
})

test('what the server refuses with is passed on', async () => {
  const refuse = () => raised({ id: 'a', version: 3 }, () => Promise.reject(new Error('no')))
  await expect(refuse()).rejects.toThrow('no')
})
