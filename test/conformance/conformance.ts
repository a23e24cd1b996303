/** One requirement of the API, in our own words. */
export interface Rule {
  /** Stable: never given to another rule, also when this one goes. */
  id: string
  rule: string
}

export interface Part {
  title: string
  rules: readonly Rule[]
}

/** A test whose title begins with the rules that it proves: `notes-04, series-01: is answered …`. */
export interface Proof {
  ids: readonly string[]
  /** From the root of the project. */
  file: string
  /** What stands in the source behind the ids: of `test.each(rows)('notes-04: %s is read', …)` it is `%s is read`. */
  title: string
}

const ID = '[a-z]+(?:-[a-z]+)*-\\d\\d'
const IDS = `${ID}(?:, ${ID})*`
const WHOLE_ID = new RegExp(`^${ID}$`)
const TITLE = new RegExp(`^(${IDS}): `)
/** Such a title in a call of `test`, `it` or `describe`, or behind a call: `test.each(…)(…)`. What is skipped proves nothing. */
const CALLED = '(?<=\\b(?:test|it|describe)(?:\\.(?!skip|todo|fails)\\w+)*|\\))\\('
const PROOF = new RegExp(`${CALLED}\\s*(['"\`])(${IDS}): ((?:\\\\.|(?!\\1)[^\\\\])*)\\1`, 'gs')

/** The rules that the title of a test names; none when it names none. */
export function rulesIn(title: string): string[] {
  return TITLE.exec(title)?.[1]?.split(', ') ?? []
}

/** The tests of a file that prove rules. */
export function proofsIn(file: string, source: string): Proof[] {
  return [...source.matchAll(PROOF)].map(([, , ids = '', title = '']) => ({
    ids: ids.split(', '),
    file,
    title: title.replaceAll(/\\(['"`])/g, '$1'),
  }))
}

/** What is wrong with rules, one sentence each: without proof, with an id that is taken or is none; and with titles that name no rule. */
export function problemsOf(parts: readonly Part[], proofs: readonly Proof[]): string[] {
  const problems: string[] = []
  const proven = new Set(proofs.flatMap(({ ids }) => ids))
  const known = new Set<string>()
  for (const { id, rule } of parts.flatMap(({ rules }) => rules)) {
    if (!WHOLE_ID.test(id)) problems.push(`${id}: this is no id, which is words and two digits`)
    if (known.has(id)) problems.push(`${id}: two rules have this id`)
    known.add(id)
    if (rule.trim() === '') problems.push(`${id}: says nothing`)
    if (!proven.has(id)) problems.push(`${id}: no test proves it: ${rule}`)
  }
  for (const { ids, file, title } of proofs) {
    for (const id of ids) if (!known.has(id)) problems.push(`${file}: "${title}" names ${id}, which is no rule`)
  }
  return problems
}

/** The page, as it is in docs/. */
export function pageOf(parts: readonly Part[], proofs: readonly Proof[]): string {
  const count = parts.flatMap(({ rules }) => rules).length
  const linksTo = (id: string) => proofs.filter(({ ids }) => ids.includes(id)).map(link)
  const sections = parts.map(({ title, rules }, index) => {
    const rows = rules.map(({ id, rule }) => `| ${id} | ${cell(rule)} | ${linksTo(id).join('<br>')} |`)
    return [`## ${index + 1}. ${title}`, '', '| Rule | What holds | Proof |', '| --- | --- | --- |', ...rows, ''].join(
      '\n',
    )
  })
  return `${[
    '# Conformance',
    '',
    `What the API of Almanac demands, in ${count} rules, and the tests that show that each of them holds. This page is`,
    'generated from `test/conformance/rules` and from the titles of tests, which begin with the rules that they prove; a test',
    'fails when a rule has no proof, when a title names no rule, or when this page is not what they say. It is written again by',
    '`npx vitest run test/conformance -u`.',
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
function link({ file, title }: Proof): string {
  const name = file.replace(/^.*\//, '').replace(/\.test\.ts$/, '')
  return `[${name}](../${file}): ${title.replace(/[\\|<>*_[\]`]/g, '\\$&')}`
}
