import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const webSrc = join(import.meta.dirname, '..')
const mantine = join(webSrc, '../../node_modules/@mantine')
const core = join(mantine, 'core')

const files = readdirSync(webSrc, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name))
  .map((name) => ({ name, text: readFileSync(join(webSrc, name), 'utf8') }))
const imported = readFileSync(join(import.meta.dirname, 'styles.ts'), 'utf8')
  .split('\n')
  .flatMap((line) => line.match(/^import '@mantine\/core\/styles\/(.+)\.layer\.css'$/)?.[1] ?? [])

/** Where each export of Mantine's index stands. */
const homes = new Map<string, string>()
for (const [, names = '', from = ''] of readFileSync(join(core, 'esm/index.mjs'), 'utf8').matchAll(
  /(?:import|export) \{([^}]*)\} from "([^"]+)"/g,
)) {
  for (const name of names.split(',')) {
    const own = name.trim().split(' as ').at(-1)
    if (own) homes.set(own, join(core, 'esm', from))
  }
}

const reached = new Map<string, Set<string>>()

/** The style sheets of a module of Mantine and of all that it is made of. */
function sheetsOf(path: string): Set<string> {
  const known = reached.get(path)
  if (known) return known
  const sheets = new Set<string>()
  const seen = new Set<string>()
  const visit = (file: string) => {
    if (seen.has(file)) return
    seen.add(file)
    const sheet = file.match(/\/([^/]+)\.module\.mjs$/)?.[1]
    if (sheet && existsSync(join(core, `styles/${sheet}.css`))) sheets.add(sheet)
    for (const [, target = ''] of readFileSync(file, 'utf8').matchAll(/from "(\.[^"]+)"/g)) {
      visit(join(dirname(file), target))
    }
  }
  visit(path)
  reached.set(path, sheets)
  return sheets
}

function importsFrom(text: string, library: string): string[] {
  const pattern = new RegExp(`import \\{([^}]*)\\} from '${library}'`, 'g')
  return [...text.matchAll(pattern)].flatMap(([, names = '']) =>
    names
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '' && !name.startsWith('type '))
      .map((name) => name.split(' as ')[0] ?? name),
  )
}

test('every component of Mantine has its style sheets', () => {
  const missing = files.flatMap(({ name, text }) =>
    importsFrom(text, '@mantine/core').flatMap((component) => {
      const home = homes.get(component)
      if (!home) return [`${name}: ${component} stands nowhere in Mantine`]
      return [...sheetsOf(home)]
        .filter((sheet) => !imported.includes(sheet))
        .map((sheet) => `${name}: ${component} wants @mantine/core/styles/${sheet}.layer.css in design/styles.ts`)
    }),
  )
  expect(missing).toEqual([])
})

test('the sheets that a component is made of are found', () => {
  expect([...sheetsOf(homes.get('Select') ?? '')]).toEqual(expect.arrayContaining(['Combobox', 'Input', 'ScrollArea']))
})

test('sheets stand in the order of Mantine, each once', () => {
  const whole = readFileSync(join(core, 'styles.css'), 'utf8')
  const places = imported.map((sheet) => whole.indexOf(readFileSync(join(core, `styles/${sheet}.css`), 'utf8').trim()))
  expect(places).not.toContain(-1)
  expect(places).toEqual([...new Set(places)].sort((a, b) => a - b))
})

test('nothing imports all styles of Mantine at once', () => {
  const all = files.filter(({ text }) => /['"]@mantine\/core\/styles(\.layer)?\.css['"]/.test(text))
  expect(all.map(({ name }) => name)).toEqual([])
})
