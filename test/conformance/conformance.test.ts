import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type Part, pageOf, problemsOf, proofsIn, type Rule, rulesIn } from './conformance.ts'
import { PARTS } from './rules/index.ts'

const root = join(import.meta.dirname, '../..')
const proofs = globSync('{src,web/src,test}/**/*.test.ts', { cwd: root, exclude: ['test/conformance/**'] })
  .toSorted()
  .flatMap((file) => proofsIn(file, readFileSync(join(root, file), 'utf8')))

describe('the rules of the API', () => {
  test('every rule has proof, and every title that names a rule names one that there is', () => {
    expect(problemsOf(PARTS, proofs)).toEqual([])
  })

  test('docs/conformance.md is what the rules and the titles say', async () => {
    await expect(pageOf(PARTS, proofs)).toMatchFileSnapshot('../../docs/conformance.md')
  })
})

describe('the check of rules', () => {
  const source = `
    describe('bread', () => {
      test('bread-01: is baked', () => {})
      test.each<[string, number]>([
        ['bread-09: not a title', 1],
      ])(
        'bread-01, rye-flour-02: %s is sold at the baker\\'s',
        (_: string) => { expect('bread-09: x' as string).toBe('bread-09: y') },
      )
      test.skip('bread-09: is not baked', () => {})
      test(\`bread-03: \${name} opens\`, () => {})
      test('is eaten: bread-09: never', () => {})
    })
  `
  const found = proofsIn('test/bread.test.ts', source)
  const problems = (...rules: Partial<Rule>[]) => {
    const others = ['rye-flour-02', 'bread-03'].map((id) => ({ id, rule: 'It is good.' }))
    const all = rules.map((rule) => ({ id: 'bread-01', rule: 'It is good.', ...rule }))
    const parts: Part[] = [{ title: 'A part', rules: [...all, ...others] }]
    return problemsOf(parts, found)
  }

  test('reads the rules at the beginning of titles, of tests that run', () => {
    expect(found.map(({ ids, title }) => [ids.join(), title])).toEqual([
      ['bread-01', 'is baked'],
      ['bread-01,rye-flour-02', "%s is sold at the baker's"],
      ['bread-03', `\${name} opens`],
    ])
    expect(rulesIn('bread-01, rye-flour-02: bread-03: is sold')).toEqual(['bread-01', 'rye-flour-02'])
    expect(rulesIn('of bread-01: is sold')).toEqual([])
  })

  test.each<[string, Partial<Rule>[], string[]]>([
    ['a rule of which all is well', [{}], []],
    ['no proof', [{}, { id: 'bread-09' }], ['bread-09: no test proves it: It is good.']],
    [
      'no rule of that name',
      [],
      ['is baked', "%s is sold at the baker's"].map(
        (title) => `test/bread.test.ts: "${title}" names bread-01, which is no rule`,
      ),
    ],
    ['two rules of one id', [{}, {}], ['bread-01: two rules have this id']],
    [
      'an id that is none',
      [{}, { id: 'Bread1' }],
      ['Bread1: this is no id, which is words and two digits', 'Bread1: no test proves it: It is good.'],
    ],
    ['no words', [{ rule: ' ' }], ['bread-01: says nothing']],
  ])('%s', (_, rules, expected) => {
    expect(problems(...rules)).toEqual(expected)
  })

  test('the page holds every rule with links to its tests', () => {
    const page = pageOf([{ title: 'A part', rules: [{ id: 'bread-01', rule: 'Rye | wheat.' }] }], found)
    expect(page).toContain('in 1 rules')
    expect(page).toContain('\n## 1. A part\n')
    const file = '[bread](../test/bread.test.ts)'
    const links = `${file}: is baked<br>${file}: %s is sold at the baker's`
    expect(page).toContain(`\n| bread-01 | Rye \\| wheat. | ${links} |\n`)
  })
})
