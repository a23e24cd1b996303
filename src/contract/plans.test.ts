import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { PLAN_NAMES, PlanSchema, readPlanCatalog, SHIPPED_PLANS, validatorOf } from './index.ts'

const wrong = (json: unknown) => {
  const read = readPlanCatalog(json)
  return read.ok ? [] : read.wrong.toSorted()
}
const plans = (json: unknown) => {
  const read = readPlanCatalog(json)
  if (!read.ok) throw new Error(read.wrong.join(' '))
  return read.plans
}
const page = await readFile(join(import.meta.dirname, '../../docs/operating.md'), 'utf8')

test('every shipped plan is whole', () => {
  expect(Object.keys(SHIPPED_PLANS)).toEqual([...PLAN_NAMES])
  for (const plan of Object.values(SHIPPED_PLANS)) expect(validatorOf(PlanSchema).Check(plan)).toBe(true)
})

test('plan-02: what a file leaves out keeps its shipped value, plan by plan and field by field', () => {
  expect(plans({})).toEqual(SHIPPED_PLANS)
  expect(plans({ FREE: {}, PRO: { monthlyPosts: null, storageBytes: 0, apiAccess: false } })).toEqual({
    ...SHIPPED_PLANS,
    PRO: { ...SHIPPED_PLANS.PRO, monthlyPosts: null, storageBytes: 0, apiAccess: false },
  })
})

test('a file can say everything', () => {
  const plan = {
    monthlyPosts: 1,
    video: false,
    carousels: true,
    repeats: false,
    approvals: true,
    monthlyUploadBytes: Number.MAX_SAFE_INTEGER,
    storageBytes: null,
    socialSets: 0,
    apiAccess: false,
    requestsPerSecond: 1,
  }
  const all = Object.fromEntries(PLAN_NAMES.map((name) => [name, plan]))
  expect(plans(all)).toEqual(all)
})

test.each([
  [null, 'It must be a JSON object.'],
  [[], 'It must be a JSON object.'],
  ['FREE', 'It must be a JSON object.'],
  [{ GOLD: {} }, 'GOLD is not a known field.'],
  [{ free: {} }, 'free is not a known field.'],
  [JSON.parse('{"__proto__": {}}'), '__proto__ is not a known field.'],
  [{ FREE: null }, 'FREE must be an object.'],
  [{ FREE: { posts: 3 } }, 'FREE.posts is not a known field.'],
  [{ PRO: { monthlyPosts: -1 } }, 'PRO.monthlyPosts must be at least 0.'],
  [{ PRO: { socialSets: 1.5 } }, 'PRO.socialSets must be a whole number or null.'],
  [{ PRO: { storageBytes: '5 GB' } }, 'PRO.storageBytes must be a whole number or null.'],
  [{ PRO: { monthlyUploadBytes: 1e300 } }, 'PRO.monthlyUploadBytes must be at most 9007199254740991.'],
  [{ PRO: { video: null } }, 'PRO.video must be true or false.'],
  [{ PRO: { requestsPerSecond: 0 } }, 'PRO.requestsPerSecond must be at least 1.'],
  [{ PRO: { requestsPerSecond: null } }, 'PRO.requestsPerSecond must be a whole number.'],
])('%j is wrong', (json, sentence) => {
  expect(wrong(json)).toEqual([sentence])
})

test('everything that is wrong is reported at once', () => {
  const everything = { FREE: { monthlyPosts: -1, video: 'yes', color: 1 }, GOLD: {}, SCALE: { requestsPerSecond: 1.5 } }
  expect(wrong(everything)).toEqual([
    'FREE.color is not a known field.',
    'FREE.monthlyPosts must be at least 0.',
    'FREE.video must be true or false.',
    'GOLD is not a known field.',
    'SCALE.requestsPerSecond must be a whole number.',
  ])
})

test('plan-02: the example of the documentation can be loaded, and changes what it says', () => {
  const example = JSON.parse(/```json\n(\{\n {2}"FREE"[\s\S]*?)```/.exec(page)?.[1] ?? '')
  expect(Object.keys(example)).toEqual(['FREE', 'AGENCY'])
  expect(plans(example)).toEqual({
    ...SHIPPED_PLANS,
    FREE: { ...SHIPPED_PLANS.FREE, ...example.FREE },
    AGENCY: { ...SHIPPED_PLANS.AGENCY, ...example.AGENCY },
  })
  expect(plans(example)).not.toEqual(SHIPPED_PLANS)
})

test('the table of the documentation has every field with its shipped values', () => {
  const cells = (line: string) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim())
  const lines = page.split('\n')
  const head = lines.findIndex((line) => line.startsWith('| Field | Meaning |'))
  expect(cells(lines[head] ?? '').slice(2)).toEqual(PLAN_NAMES.map((name) => `\`${name}\``))
  const rows = lines.slice(head + 2, lines.indexOf('', head)).map(cells)
  expect(rows.map(([field]) => field)).toEqual(Object.keys(PlanSchema.properties).map((field) => `\`${field}\``))
  const read = (cell = '') => {
    if (cell === 'no limit') return null
    if (cell === 'yes' || cell === 'no') return cell === 'yes'
    return cell.endsWith(' GB') ? Number(cell.slice(0, -3)) * 1_000_000_000 : Number(cell.replaceAll(',', ''))
  }
  const reported = PLAN_NAMES.map((name, index) => [
    name,
    Object.fromEntries(rows.map((row) => [row[0]?.replaceAll('`', ''), read(row[index + 2])])),
  ])
  expect(Object.fromEntries(reported)).toEqual(SHIPPED_PLANS)
})
