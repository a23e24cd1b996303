import { expect, test } from 'vitest'
import type { Network } from '../network.ts'
import { loadChecks, loadNetworks } from '../registry.ts'
import type { Called } from './api.ts'
import { asDocumented, type Look, readProbe } from './checks.ts'
import { answer, lost } from './testing.ts'

const look = {} as Look
const asked = (called: Called<number> | string, more: Partial<Parameters<typeof readProbe<number>>[0]> = {}) =>
  readProbe<number>({
    name: 'quota',
    settles: 'how many posts are left',
    read: () => (typeof called === 'string' ? called : Promise.resolve(called)),
    ...more,
  }).ask(look)
const refused = (status: number): Called<number> => ({ kind: 'refused', answer: answer(status, {}) })

test('a read settles what its answer shows', async () => {
  const read: Called<number> = { kind: 'ok', value: 50 }
  expect(await asked(read)).toEqual(asDocumented())
  expect(await asked(read, { says: (left) => `${left} are left.` })).toEqual(asDocumented('50 are left.'))
  expect(await asked(read, { differs: (left) => (left < 100 ? 'Fewer than 100.' : null) })).toEqual({
    result: 'differs',
    detail: 'Fewer than 100.',
  })
  expect(await asked(refused(403))).toEqual({ result: 'differs', detail: 'The network refuses (status 403).' })
  expect(await asked(refused(200))).toMatchObject({ result: 'differs', detail: expect.stringMatching(/another shape/) })
})

test('a refusal may be documented, and what was not asked or not answered settles nothing', async () => {
  const known = { refused: ({ status }: { status: number }) => (status === 403 ? asDocumented('Closed.') : null) }
  expect(await asked(refused(403), known)).toEqual(asDocumented('Closed.'))
  expect(await asked(refused(500), known)).toMatchObject({ result: 'differs' })
  expect(await asked('There is no board.')).toEqual({ result: 'not tried', detail: 'There is no board.' })
  expect(await asked(lost as Called<number>)).toMatchObject({ result: 'not tried' })
})

test('every network declares checks with names of their own, and one without a file has none', async () => {
  for (const network of (await loadNetworks()).all) {
    const checks = await loadChecks(network)
    const names = checks?.probes.map(({ name }) => name) ?? []
    expect(names.length, network.manifest.name).toBeGreaterThan(1)
    expect(new Set(names).size, network.manifest.name).toBe(names.length)
    expect(checks?.byHand, network.manifest.name).toMatch(/\.$/)
  }
  expect(await loadChecks({ manifest: { name: 'postcards' } } as Network)).toBeNull()
})
