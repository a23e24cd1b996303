import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { METRICS, metricsOf, type ServedBy } from './catalog.ts'

const SERVED_BY: Readonly<Record<ServedBy, string>> = { all: 'all', publishing: '`up`, `worker`', api: '`up`, `api`' }

test('the table in docs/operating.md has every metric, as the catalog describes it', () => {
  const docs = readFileSync(join(import.meta.dirname, '../../../docs/operating.md'), 'utf8').split('\n')
  const head = '| Metric | Type | Unit | Labels | Served by | Meaning |'
  const from = docs.indexOf(head)
  const table = docs.slice(from, docs.indexOf('', from))
  expect(table).toEqual([
    head,
    '| --- | --- | --- | --- | --- | --- |',
    ...metricsOf(['all', 'publishing', 'api']).map(
      ({ name, type, unit, labels, by, help }) =>
        `| \`${name}\` | ${type} | ${unit} | ${labels.map((label) => `\`${label}\``).join(', ') || '–'} | ${SERVED_BY[by]} | ${help} |`,
    ),
  ])
})

test('names follow the conventions of Prometheus', () => {
  for (const { name, type, unit } of Object.values(METRICS)) {
    expect(name, name).toMatch(/^almanac_[a-z_]+$/)
    expect(name.endsWith('_total'), name).toBe(type === 'counter')
    expect(/_seconds$/.test(name), name).toBe(unit.startsWith('seconds'))
  }
})
