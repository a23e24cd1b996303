import { expect, test } from 'vitest'
import type { Network } from '../network.ts'
import { loadChecks, loadNetworks } from '../registry.ts'
import type { Called } from './api.ts'
import { asDocumented, differs, type Look, notTried, readProbe, type Settled } from './checks.ts'
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

const fifty: Called<number> = { kind: 'ok', value: 50 }
const closed = { refused: ({ status }: { status: number }) => (status === 403 ? asDocumented('Closed.') : null) }
test.each<[string, Parameters<typeof asked>, Settled]>([
  ['a value', [fifty], asDocumented()],
  ['its words', [fifty, { says: (left) => `${left} are left.` }], asDocumented('50 are left.')],
  ['another value', [fifty, { differs: (left) => (left < 100 ? 'Fewer.' : null) }], differs('Fewer.')],
  ['a refusal', [refused(403)], differs('The network refuses (status 403).')],
  ['another shape', [refused(200)], differs(expect.stringMatching(/another shape/))],
  ['a refusal that is documented', [refused(403), closed], asDocumented('Closed.')],
  ['another refusal', [refused(500), closed], differs(expect.any(String))],
  ['nothing to ask for', ['There is no board.'], notTried('There is no board.')],
  ['no answer', [lost as Called<number>], notTried(expect.any(String))],
])('a read settles by %s', async (_, given, settled) => {
  expect(await asked(...given)).toEqual(settled)
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
