import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseSync } from 'vite'
import { expect, test } from 'vitest'

/**
 * What a file exports, another one imports, and what a room gives away stands in its door. What no other file imports is not
 * exported; what nothing uses is deleted, which the linter says.
 */

const root = join(import.meta.dirname, '..')

/** Loaded by the names of the file and of what it exports. */
const LOADED = [/^src\/networks\/(?!kit|meta)[^/]+\/(?:checks|index|manifest)\.ts$/, /^web\/src\/language\/trans\.ts$/]
/** Handed on whole, by these names: `operations.createKey`, `const { page } = LIMITS`. */
const WHOLE = { operations: 'src/operations/index.ts', LIMITS: 'src/contract/limits.ts' }

type Module = ReturnType<typeof parseSync>['module']

/** Names that no other file imports, as `file: name`. A file that imports another as a whole uses the names that it says itself. */
function unusedOf(
  sources: ReadonlyMap<string, string>,
  resolve: (from: string, name: string) => string,
  whole: Readonly<Record<string, string>> = {},
): string[] {
  const modules = new Map<string, Module>([...sources].map(([file, text]) => [file, parseSync(file, text).module]))
  const used = new Set<string>()
  const use = (from: string, target: string, names: Iterable<string>) => {
    const file = resolve(from, target)
    for (const name of names) used.add(`${file}: ${name}`)
  }
  for (const [file, { staticImports, staticExports }] of modules) {
    const text = sources.get(file) ?? ''
    const words = () => new Set(text.match(/[\w$]+/g))
    for (const { moduleRequest, entries } of staticImports) {
      for (const { importName } of entries)
        use(file, moduleRequest.value, importName.kind === 'Name' ? [importName.name ?? ''] : words())
    }
    for (const { moduleRequest, importName } of staticExports.flatMap(({ entries }) => entries)) {
      if (moduleRequest && importName.kind === 'Name') use(file, moduleRequest.value, [importName.name ?? ''])
    }
    for (const [, target = ''] of text.matchAll(/\bimport\(\s*['"]([^'"]+)['"]/g)) use(file, target, words())
    for (const [name, target] of Object.entries(whole)) {
      if (new RegExp(`\\b${name}\\.|= ${name}$`, 'm').test(text)) use(file, target, words())
    }
  }
  return [...modules].flatMap(([file, { staticExports }]) => {
    const names = staticExports
      .flatMap(({ entries }) => entries)
      .flatMap(({ exportName }) => (exportName.kind === 'Name' ? [`${file}: ${exportName.name}`] : []))
    return [...new Set(names)].filter((name) => !used.has(name))
  })
}

test('what no other file imports is found', () => {
  const sources = new Map([
    [
      'a.ts',
      `export const one = 1, two = 2\nexport type Three = 3\nexport interface Four {}\nexport function five() {}`,
    ],
    ['door.ts', `export { one, type Three } from 'a.ts'`],
    ['b.ts', `import { one } from 'door.ts'\nconst { five } = await import('a.ts')`],
    ['c.ts', `import * as all from 'a.ts'\nexport const six = all.two`],
  ])
  const asNamed = (_: string, name: string) => name
  expect(unusedOf(sources, asNamed)).toEqual(['a.ts: Four', 'door.ts: Three', 'c.ts: six'])
  sources.set('d.ts', 'rooms.six()')
  expect(unusedOf(sources, asNamed, { rooms: 'c.ts' })).toEqual(['a.ts: Four', 'door.ts: Three'])
})

test('a door names what is behind it, and does nothing itself', () => {
  const code = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', 'src'], { cwd: root })
    .toString()
    .split('\n')
    .filter((path) => path.endsWith('.ts') && existsSync(join(root, path)))
  const read = (path: string) => readFileSync(join(root, path), 'utf8')
  expect(code.filter((path) => /^export \* from/m.test(read(path)))).toEqual([])
  const doors = code.filter((path) => /^src\/[^/]+\/index\.ts$/.test(path))
  expect(doors.length).toBeGreaterThan(15)
  const list = /^export (?:(?:type )?\{[^}]*\}|\* as \w+) from '[^']+'\n/gm
  expect(doors.filter((path) => read(path).replace(list, '').trim() !== '')).toEqual([])
})

test('no file of the server or of the dashboard exports what no other imports', () => {
  const { imports }: { imports: Record<string, string> } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const listed = [
    '--cached',
    '--others',
    '--exclude-standard',
    'src',
    'web',
    'test',
    'bench',
    'scripts',
    '*.ts',
    '*.js',
  ]
  const files = execFileSync('git', ['ls-files', ...listed], { cwd: root, maxBuffer: 64_000_000 })
    .toString()
    .split('\n')
    .filter((path) => /\.(tsx?|m?js)$/.test(path) && existsSync(join(root, path)))
  expect(files.length).toBeGreaterThan(2_000)
  const sources = new Map(files.map((path) => [path, readFileSync(join(root, path), 'utf8')]))
  const resolve = (from: string, name: string) =>
    name.startsWith('.') ? join(dirname(from), name) : (imports[name]?.replace('./', '') ?? name)
  const unused = unusedOf(sources, resolve, WHOLE)
    .filter((line) => /^(src|web\/src)\//.test(line))
    .filter((line) => !LOADED.some((loaded) => loaded.test(line.split(': ')[0] ?? '')))
  expect(unused).toEqual([])
})
