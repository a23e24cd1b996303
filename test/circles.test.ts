import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { expect, test } from 'vitest'

/** No file imports itself around a circle, not even for types: each can be read, moved and tested by what is below it. */

const root = normalize(join(import.meta.dirname, '..'))
const { imports }: { imports: Record<string, string> } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

const files = new Set(
  execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', 'src', 'web/src'], { cwd: root })
    .toString()
    .split('\n')
    // What runs networks' tests imports them, and they it.
    .filter((path) => /\.tsx?$/.test(path) && !/\.test\.tsx?$|^src\/networks\/conformance\/|\/testing\.ts$/.test(path))
    .filter((path) => existsSync(join(root, path))),
)

const IMPORT =
  /(?:^|\n)\s*(?:import|export)\s[^'"\n;]*?(?:\{[^}]*\}[^'"\n;]*?)?['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]/g

/** The files of the project that a file imports, by doors as well. */
function importsOf(path: string): string[] {
  const names = [...readFileSync(join(root, path), 'utf8').matchAll(IMPORT)].map(([, one, other]) => one ?? other ?? '')
  return names.flatMap((name) => {
    const target = name.startsWith('.') ? join(dirname(path), name) : imports[name]?.replace('./', '')
    return target !== undefined && files.has(target) ? [target] : []
  })
}

/** Circles, each once: `a → b → a`. */
function circlesOf(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const done = new Set<string>()
  const way: string[] = []
  const found: string[] = []
  const visit = (path: string) => {
    if (way.includes(path)) found.push([...way.slice(way.indexOf(path)), path].join(' → '))
    if (done.has(path) || way.includes(path)) return
    way.push(path)
    for (const next of graph.get(path) ?? []) visit(next)
    way.pop()
    done.add(path)
  }
  for (const path of graph.keys()) visit(path)
  return found
}

test('circles are found', () => {
  expect(circlesOf(new Map(Object.entries({ a: ['b'], b: ['c', 'd'], c: ['a'], d: [] })))).toEqual(['a → b → c → a'])
})

test('no file imports itself around a circle', () => {
  expect(files.size).toBeGreaterThan(1_000)
  const graph = new Map([...files].map((path) => [path, importsOf(path)]))
  expect([...graph.values()].flat().length).toBeGreaterThan(3_000)
  expect(circlesOf(graph)).toEqual([])
})
