import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { expect, test } from 'vitest'

const webSrc = join(import.meta.dirname, '..')
const mantine = join(webSrc, '../../node_modules/@mantine')
const core = join(mantine, 'core')
const MORE = join(import.meta.dirname, 'more-styles.ts')

const texts = new Map(
  readdirSync(webSrc, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name))
    .map((name) => [join(webSrc, name), readFileSync(join(webSrc, name), 'utf8')]),
)
const sheetsIn = (file: string) =>
  [...readFileSync(file, 'utf8').matchAll(/^import '@mantine\/core\/styles\/(.+)\.layer\.css'$/gm)].map(
    ([, sheet = '']) => sheet,
  )
const first = sheetsIn(join(import.meta.dirname, 'styles.ts'))
const more = sheetsIn(MORE)

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

/** A file with all that it imports at once, and the files that it loads later. */
function together(start: string): { files: Set<string>; later: Set<string> } {
  const files = new Set<string>()
  const later = new Set<string>()
  const visit = (file: string) => {
    const text = texts.get(file)
    if (files.has(file) || text === undefined) return
    files.add(file)
    for (const [, target = ''] of text.matchAll(/^import (?!type\b)(?:[^'"]*? from )?'(\.[^']+)'/gm)) {
      visit(join(dirname(file), target))
    }
    for (const [, target = ''] of text.matchAll(/import\('(\.[^']+)'\)/g)) later.add(join(dirname(file), target))
  }
  visit(start)
  return { files, later }
}

/** What is loaded in one piece: the entry, and every file that is loaded when it is needed. */
function pieces(): string[] {
  const found = new Set([join(webSrc, 'app/main.tsx')])
  for (const piece of found) for (const later of together(piece).later) found.add(later)
  return [...found]
}

test('everything that is loaded in one piece has the style sheets of its components', () => {
  const missing = pieces().flatMap((piece) => {
    const { files } = together(piece)
    const there = new Set(files.has(MORE) ? [...first, ...more] : first)
    return [...files].flatMap((file) =>
      importsFrom(texts.get(file) ?? '', '@mantine/core').flatMap((component) => {
        const home = homes.get(component)
        if (!home) return [`${relative(webSrc, file)}: ${component} is nowhere in Mantine`]
        const wanted = [...sheetsOf(home)].filter((sheet) => !there.has(sheet))
        return wanted.map(
          (sheet) =>
            `${relative(webSrc, piece)} shows ${component} of ${relative(webSrc, file)} without ${sheet}.layer.css: ${
              more.includes(sheet) ? 'import design/more-styles.ts' : 'add it to design/more-styles.ts'
            }`,
        )
      }),
    )
  })
  expect([...new Set(missing)]).toEqual([])
})

test('the sheets that a component is made of are found, and so is what is loaded later', () => {
  expect([...sheetsOf(homes.get('Select') ?? '')]).toEqual(expect.arrayContaining(['Combobox', 'Input', 'ScrollArea']))
  expect(pieces().map((piece) => relative(webSrc, piece))).toEqual(
    expect.arrayContaining(['calendar/calendar-page.tsx', 'post-set/post-set-panel.tsx', 'settings/team-page.tsx']),
  )
})

test('sheets are in the order of Mantine, each once', () => {
  const whole = readFileSync(join(core, 'styles.css'), 'utf8')
  const place = (sheet: string) => whole.indexOf(readFileSync(join(core, `styles/${sheet}.css`), 'utf8').trim())
  for (const sheets of [first, more]) {
    const places = sheets.map(place)
    expect(places).not.toContain(-1)
    expect(places).toEqual([...new Set(places)].sort((a, b) => a - b))
  }
  expect(first.filter((sheet) => more.includes(sheet))).toEqual([])
})

test('nothing imports all styles of Mantine at once', () => {
  const all = [...texts].filter(([, text]) => /['"]@mantine\/core\/styles(\.layer)?\.css['"]/.test(text))
  expect(all.map(([file]) => relative(webSrc, file))).toEqual([])
})
