import { parseAst } from 'vitest/node'

/** One requirement of the API, in our own words, and the tests that show that it holds. */
export interface Rule {
  /** Stable: never given to another rule, also when this one goes. */
  id: string
  rule: string
  /** Each is `path of a test file › title of a test in it`, with the titles of describe blocks where it needs them. */
  proof: readonly string[]
}

export interface Part {
  title: string
  rules: readonly Rule[]
}

const BETWEEN = ' › '
const ID = /^[a-z]+(-[a-z]+)*-\d\d$/

interface Node {
  type: string
  [key: string]: unknown
}
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value

/**
 * The titles of the tests of a file, behind those of the describe blocks around them. A title is the text that stands
 * in the source: of `test.each(rows)('%s is read', …)` it is `%s is read`.
 */
export function testTitles(source: string): string[] {
  const titles: string[] = []
  const textOf = (node: unknown): string | null => {
    if (!isNode(node)) return null
    if (node.type === 'Literal' && typeof node.value === 'string') return node.value
    if (node.type !== 'TemplateLiteral') return null
    return source.slice(Number(node.start) + 1, Number(node.end) - 1)
  }
  const visit = (value: unknown, around: readonly string[]): void => {
    if (Array.isArray(value)) for (const each of value) visit(each, around)
    if (!isNode(value)) return
    const title = value.type === 'CallExpression' ? textOf((value.arguments as unknown[])[0]) : null
    const name = title === null ? null : calledName(value.callee)
    const within = name === null ? around : [...around, title as string]
    if (name === 'test' || name === 'it') titles.push(within.join(BETWEEN))
    for (const child of Object.values(value)) visit(child, within)
  }
  visit(parseAst(source, { lang: 'ts' }), [])
  return titles
}

/** `test`, `it` or `describe` of `test(…)`, `describe.concurrent(…)`, `test.each(…)(…)`, `test.runIf(…)(…)`. */
function calledName(callee: unknown): string | null {
  let node = callee
  while (isNode(node)) {
    if (node.type === 'Identifier')
      return ['test', 'it', 'describe'].includes(String(node.name)) ? `${node.name}` : null
    if (node.type === 'MemberExpression') {
      // What does not run proves nothing.
      const { name } = node.property as { name?: string }
      if (name === 'skip' || name === 'todo' || name === 'fails') return null
      node = node.object
    } else if (node.type === 'CallExpression') node = node.callee
    else return null
  }
  return null
}

/**
 * What is wrong with rules, one sentence each: without proof, with a proof that does not exist or names several tests,
 * with an id that is taken or is none.
 *
 * @param sourceOf The text of a test file by its path from the root of the project, null when there is none.
 */
export function problemsOf(parts: readonly Part[], sourceOf: (path: string) => string | null): string[] {
  const problems: string[] = []
  const known = new Map<string, string[] | null>()
  const titlesOf = (path: string) => {
    const found = known.get(path)
    if (found !== undefined) return found
    const source = sourceOf(path)
    const titles = source === null ? null : testTitles(source)
    known.set(path, titles)
    return titles
  }
  const ids = new Set<string>()
  for (const { id, rule, proof } of parts.flatMap(({ rules }) => rules)) {
    if (!ID.test(id)) problems.push(`${id}: this is no id, which is words and two digits`)
    if (ids.has(id)) problems.push(`${id}: two rules have this id`)
    ids.add(id)
    if (rule.trim() === '') problems.push(`${id}: says nothing`)
    if (proof.length === 0) problems.push(`${id}: no test proves it: ${rule}`)
    for (const each of proof) {
      const { path, title } = partsOf(each)
      const titles = titlesOf(path)
      if (titles === null) {
        problems.push(`${id}: there is no test file ${path}`)
        continue
      }
      const count = titles.filter((full) => full === title || full.endsWith(BETWEEN + title)).length
      if (count === 0) problems.push(`${id}: ${path} has no test "${title}"`)
      if (count > 1) problems.push(`${id}: ${path} has ${count} tests "${title}": say within which describe`)
    }
  }
  return problems
}

function partsOf(proof: string): { path: string; title: string } {
  const at = proof.indexOf(BETWEEN)
  return at < 0 ? { path: proof, title: '' } : { path: proof.slice(0, at), title: proof.slice(at + BETWEEN.length) }
}

/** The page, as it is in docs/. */
export function pageOf(parts: readonly Part[]): string {
  const count = parts.flatMap(({ rules }) => rules).length
  const sections = parts.map(({ title, rules }, index) => {
    const rows = rules.map(({ id, rule, proof }) => `| ${id} | ${cell(rule)} | ${proof.map(link).join('<br>')} |`)
    return [`## ${index + 1}. ${title}`, '', '| Rule | What holds | Proof |', '| --- | --- | --- |', ...rows, ''].join(
      '\n',
    )
  })
  return `${[
    '# Conformance',
    '',
    `What the API of Almanac demands, in ${count} rules, and the tests that show that each of them holds. This page is`,
    'generated from `test/conformance/rules`; a test fails when a rule has no proof, when a proof does not exist, or when',
    'this page is not what the rules say. It is written again by `npx vitest run test/conformance -u`.',
    '',
    'The first nine parts are those of the API. The tenth holds what it leaves open and we have settled, and what we',
    'add to it.',
    '',
    ...sections,
  ]
    .join('\n')
    .trimEnd()}\n`
}

const cell = (text: string) => text.replaceAll('|', '\\|')

/** A test by the name of its file, which leads there, and its title. */
function link(proof: string): string {
  const { path, title } = partsOf(proof)
  const name = path.replace(/^.*\//, '').replace(/\.test\.ts$/, '')
  return `[${name}](../${path}): ${title.replace(/[\\|<>*_[\]`]/g, '\\$&')}`
}
