import { expect, test } from 'vitest'
import { loadNetworks } from './registry.ts'

/** What is chosen for an account or a post is read by people who know no interface. */
const fields = (await loadNetworks()).all.flatMap(({ manifest }) =>
  (manifest.defaults ?? []).map((field) => ({ network: manifest.name, ...field })),
)

test.each(fields)('$network: $name is described without words and values of the interface', (field) => {
  const { description, titles = {} } = field
  expect(description).not.toMatch(/\bunset\b|\bnull\b|\bundefined\b/i)
  expect(Object.keys(titles).filter((value) => new RegExp(`\\b${value}\\b`).test(description ?? ''))).toEqual([])
})
