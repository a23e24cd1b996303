import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'

const src = join(import.meta.dirname, '..')

test('parts of screens are loaded by what waits for the server', () => {
  const found = readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && name !== 'api/code.ts' && !name.endsWith('.test.ts'))
    .filter((name) => /\blazy\b[^;\n]*from 'react'|(?<!\w)lazy\(/.test(readFileSync(join(src, name), 'utf8')))
  expect(found).toEqual([])
})

vi.stubGlobal('document', { querySelector: () => null })
const { isCodeMissing } = await import('./code.ts')

test.each([
  [new TypeError('Failed to fetch dynamically imported module: http://a/b.js'), true],
  [new TypeError('error loading dynamically imported module: http://a/b.js'), true],
  [new TypeError('Importing a module script failed.'), true],
  [new Error('Unable to preload CSS for http://a/b.css'), true],
  [new TypeError('Failed to fetch'), false],
  ['Unable to preload CSS', false],
])('%s: %s', (error, missing) => {
  expect(isCodeMissing(error)).toBe(missing)
})
