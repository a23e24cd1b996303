import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type Part, pageOf, problemsOf, type Rule, testTitles } from './conformance.ts'
import { PARTS } from './rules/index.ts'

const root = join(import.meta.dirname, '../..')

function sourceOf(path: string): string | null {
  const file = join(root, path)
  return path.endsWith('.test.ts') && existsSync(file) ? readFileSync(file, 'utf8') : null
}

describe('the rules of the API', () => {
  test('every rule has proof, and every proof is a test that exists', () => {
    expect(problemsOf(PARTS, sourceOf)).toEqual([])
  })

  test('docs/conformance.md is what the rules say', async () => {
    await expect(pageOf(PARTS)).toMatchFileSnapshot('../../docs/conformance.md')
  })
})

describe('the check of rules', () => {
  const source = `
    import { test } from 'vitest'
    describe('bread', () => {
      test('is baked', () => {})
      test.each<[string, number]>([
        ['not a title', 1],
        [\`neither\`, 2],
      ])('%s is sold', (_: string) => { expect('x' as string).toBe(test) })
      describe.concurrent('of rye', () => {
        it.runIf(true)('is baked', async () => {})
      })
    })
    const { name } = bakery
    test(\`\${name} opens\`, () => {})
  `
  const problems = (...rules: Partial<Rule>[]) => {
    const parts: Part[] = [
      { title: 'A part', rules: rules.map((rule) => ({ id: 'bread-01', rule: 'It is good.', proof: [], ...rule })) },
    ]
    return problemsOf(parts, (path) => (path === 'test/bread.test.ts' ? source : null))
  }

  test('reads the titles of tests with those of the describes around them', () => {
    expect(testTitles(source)).toEqual([
      'bread › is baked',
      'bread › %s is sold',
      'bread › of rye › is baked',
      `\${name} opens`,
    ])
  })

  test('takes a proof by the title of the test, with as many describes as are needed', () => {
    for (const title of ['%s is sold', 'bread › %s is sold', 'of rye › is baked', `\${name} opens`]) {
      expect(problems({ proof: [`test/bread.test.ts › ${title}`] }), title).toEqual([])
    }
  })

  test.each<[string, Partial<Rule>, string]>([
    ['no proof', { proof: [] }, 'bread-01: no test proves it: It is good.'],
    [
      'a title that there is not',
      { proof: ['test/bread.test.ts › is sold'] },
      'bread-01: test/bread.test.ts has no test "is sold"',
    ],
    [
      'the title of a describe',
      { proof: ['test/bread.test.ts › of rye'] },
      'bread-01: test/bread.test.ts has no test "of rye"',
    ],
    ['no title', { proof: ['test/bread.test.ts'] }, 'bread-01: test/bread.test.ts has no test ""'],
    [
      'a title that two tests have',
      { proof: ['test/bread.test.ts › is baked'] },
      'bread-01: test/bread.test.ts has 2 tests "is baked": say within which describe',
    ],
    [
      'a file that there is not',
      { proof: ['test/cake.test.ts › is baked'] },
      'bread-01: there is no test file test/cake.test.ts',
    ],
    [
      'an id that is none',
      { id: 'Bread1', proof: ['test/bread.test.ts › %s is sold'] },
      'Bread1: this is no id, which is words and two digits',
    ],
    ['no words', { rule: ' ', proof: ['test/bread.test.ts › %s is sold'] }, 'bread-01: says nothing'],
  ])('%s is a problem', (_, rule, problem) => {
    expect(problems(rule)).toEqual([problem])
  })

  test('two rules of one id are a problem', () => {
    const rule = { proof: ['test/bread.test.ts › %s is sold'] }
    expect(problems(rule, rule)).toEqual(['bread-01: two rules have this id'])
  })

  test('the page holds every rule with links to its tests', () => {
    const rule = { id: 'bread-01', rule: 'Rye | wheat.', proof: ['test/bread.test.ts › bread › %s is sold'] }
    const page = pageOf([{ title: 'A part', rules: [rule] }])
    expect(page).toContain('in 1 rules')
    expect(page).toContain('\n## 1. A part\n')
    expect(page).toContain('\n| bread-01 | Rye \\| wheat. | [bread](../test/bread.test.ts): bread › %s is sold |\n')
  })
})
