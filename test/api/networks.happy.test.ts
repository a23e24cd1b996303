import { afterAll, beforeAll, expect, test } from 'vitest'
import { accountTypeEntry, FIELD_GROUPS } from '#contract'
import { loadNetworks } from '#networks'
import { type Api, startApi } from '../_util/api/api.ts'

let api: Api
beforeAll(async () => {
  api = await startApi()
})
afterAll(() => api.close())

const networks = await loadNetworks()
const types = networks.all.flatMap(({ manifest }) => manifest.accountTypes)
const list = async (query = '', key?: string) =>
  (await api.request('GET', `/v1/networks${query}`, key ? { key } : {})).body

test('extension-09: every account type is there with its fields, forms, defaults and limits', async () => {
  const { data, pagination } = await list()
  expect(data.map(({ accountType }: { accountType: string }) => accountType)).toEqual(types)
  expect(pagination.total).toBe(types.length)
  for (const network of networks.all) {
    for (const type of network.manifest.accountTypes) {
      const found = data.find(({ accountType }: { accountType: string }) => accountType === type)
      const { manifest } = network
      expect(found).toMatchObject({ network: manifest.name, title: manifest.title, forms: manifest.forms[type] })
      const fields = Object.entries(accountTypeEntry(type).fields)
      expect(found.fields.map(({ name, required }: { name: string; required: boolean }) => [name, required])).toEqual(
        fields.map(([name, { required }]) => [name, required]),
      )
      // Each has a place of its own in the form, where what belongs together stands together.
      const entries = [...found.fields, ...found.options]
      const inOrder = entries.toSorted((a, b) => a.order - b.order)
      expect(inOrder.map(({ order }) => order)).toEqual(entries.map((_, index) => index))
      const places = inOrder.map(({ group }) => FIELD_GROUPS.indexOf(group))
      expect(places).toEqual(places.toSorted((a, b) => a - b))
      expect(new Set(entries.map(({ label }) => label)).size).toBe(entries.length)
      for (const { schema } of found.fields) expect(Object.keys(schema).length).toBeGreaterThan(0)
      const limits = Object.entries(manifest.limits)
      expect(found.limits).toHaveLength(limits.length)
      for (const [name, limit] of limits) expect(found.limits).toContainEqual({ name, unsure: null, ...limit })
    }
  }
})

test('pages', async () => {
  const first = await list('?size=1')
  expect(first.data).toHaveLength(1)
  expect(first.pagination).toMatchObject({ page: 1, size: 1, total: types.length })
  expect((await list(`?size=1&page=${types.length}`)).data[0].accountType).toBe(types.at(-1))
  expect((await list(`?size=1&page=${types.length + 1}`)).data).toEqual([])
})

test('a key that only reads one social set sees the same', async () => {
  const key = await api.newKey({ scopes: [], socialSetIds: [api.socialSetId] })
  expect(await list('', key)).toEqual(await list())
})

test('no setting of the operator is reported', async () => {
  const text = JSON.stringify(await list())
  for (const { manifest } of networks.all) {
    for (const { sandbox, secret } of Object.values(manifest.settings)) {
      if (secret && sandbox) expect(text).not.toContain(sandbox)
    }
  }
})
