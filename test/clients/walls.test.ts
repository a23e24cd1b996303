import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const files = globSync('clients/*/src/**/*.ts', { cwd: root })

/** What files import, as `file: target`. */
const imports = files.flatMap((path) =>
  [...readFileSync(join(root, path), 'utf8').matchAll(/^(?:import|export|\}) .*from '([^']+)'/gm)].map(
    ([, target = '']) => ({ path, target, line: `${path}: ${target}` }),
  ),
)

test('clients know nothing of the server', () => {
  expect(imports.length).toBeGreaterThan(50)
  const outside = imports.filter(({ path, target }) =>
    target.startsWith('.') ? !join(dirname(path), target).startsWith('clients/') : target.startsWith('#'),
  )
  expect(outside.map(({ line }) => line)).toEqual([])
})

test('the client imports its own files alone', () => {
  const others = imports.filter(
    ({ path, target }) => path.startsWith('clients/typescript/') && !/^\.\/[\w-]+\.ts$/.test(target),
  )
  expect(others.map(({ line }) => line)).toEqual([])
})

test('the command has the client by its door', () => {
  const ways = imports.filter(
    ({ path, target }) => path.startsWith('clients/command/') && target.includes('typescript/'),
  )
  expect(new Set(ways.map(({ target }) => target))).toEqual(new Set(['../../typescript/src/index.ts']))
})
