import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'

/** docs/networks-evidence.md names the tests that hold what is said of the networks: they are there. */

const projectDir = resolve(import.meta.dirname, '..')
const page = readFileSync(join(projectDir, 'docs/networks-evidence.md'), 'utf8')

/** A file, with what follows it until the next one. */
const named = [...page.matchAll(/`(?<file>(?:src|test)\/[^`]+\.ts)`(?: › (?<tests>[^`\n]*))?/g)].map(({ groups }) => ({
  file: groups?.file ?? '',
  tests: (groups?.tests ?? '').split(/ › |; | · |, (?=›)/),
}))

/** What is certain to be in the source: names have values of tables in them, and are cut short. */
const certain = (name: string) =>
  name
    .split(/…|%\w|[()]|,|"|\.$|'|’/)
    .map((part) => part.replace(/^› /, '').trim())
    .filter((part) => part.length >= 14)

test('the page names tests', () => expect(named.length).toBeGreaterThan(60))

test.each([...new Set(named.map(({ file }) => file))])('%s has what the page says of it', (file) => {
  expect(existsSync(join(projectDir, file))).toBe(true)
  const source = readFileSync(join(projectDir, file), 'utf8')
  const names = named.filter((each) => each.file === file).flatMap(({ tests }) => tests)
  expect(names.flatMap(certain).filter((part) => !source.includes(part))).toEqual([])
})
