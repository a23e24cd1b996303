import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/**
 * A statement that locks rows sees what it reads besides as it was before the lock. Each function that locks, or changes rows by what
 * other tables say, is in a list of README.md, which says why that is safe.
 */

const here = new URL('./', import.meta.url)
const readText = (name: string) => readFileSync(new URL(name, here), 'utf8')

const tables = new Set([
  ...[...readText('schema.sql').matchAll(/^create table (\w+)/gm)].map(([, name]) => name),
  // Views.
  ...['post_sets', 'notes'],
])
const LOCKS = /\bfor (no key )?(update|share)\b|\bfor key share\b|\.for(NoKey)?Update\(|\.for(Key)?Share\(/
const CHANGES = /\b(update (?!of\b|skip\b)\w+|delete from|updateTable|deleteFrom)/
const NAMED =
  /(?:\bfrom|\bjoin|\busing|\bupdate|selectFrom\(\[?|innerJoin\(|leftJoin\(|updateTable\(|deleteFrom\(|\.from\(\[?)\s*['"]?(\w+)/g

/** Top-level functions and constants of a file, without their comments. */
function partsOf(text: string): { name: string; code: string }[] {
  return text.split(/^(?=(?:export )?(?:async )?(?:function|const) )/m).flatMap((part) => {
    const name = /^(?:export )?(?:async )?(?:function|const) (\w+)/.exec(part)?.[1]
    return name ? [{ name, code: part.replace(/\/\*\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '') }] : []
  })
}

function locksOrReadsMore(code: string): boolean {
  const named = new Set([...code.matchAll(NAMED)].map(([, name]) => name).filter((name) => tables.has(name ?? '')))
  return LOCKS.test(code) || (CHANGES.test(code) && named.size > 1)
}

test('every function that locks rows, or changes them by what other tables say, is in the README', () => {
  const files = readdirSync(here).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  const found = files.flatMap((file) => partsOf(readText(file))).filter(({ code }) => locksOrReadsMore(code))
  const lists = readText('README.md').split('### Only the rows that are locked')[1] ?? ''
  const listed = new Set([...lists.matchAll(/`(\w+)`/g)].map(([, name]) => name))
  expect(found.map(({ name }) => name).filter((name) => !listed.has(name))).toEqual([])
  const known = new Set(files.flatMap((file) => partsOf(readText(file)).map(({ name }) => name)))
  const others = new Set(['PUBLISHING', 'review_reminders'])
  expect([...listed].filter((name) => name && !known.has(name) && !others.has(name))).toEqual([])
})

test.each([
  ['select id from post_sets where id = $1 for update', true],
  ['db.selectFrom("labels").forKeyShare()', true],
  ['update deliveries set place = null from post_sets where true', true],
  ['update deliveries set place = null where id = $1', false],
  ['select from deliveries join post_sets on true', false],
])('%s: %s', (code, expected) => {
  expect(locksOrReadsMore(code)).toBe(expected)
})
