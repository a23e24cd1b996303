import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ENDPOINTS, type Endpoint } from '#contract'
import { queryKeys } from '../web/src/api/query-keys.ts'

const rows = Object.entries<Endpoint>(ENDPOINTS)

test('every endpoint that writes says what the dashboard reads again, and no other does', () => {
  const writing = rows.filter(([name]) => !name.startsWith('GET ')).map(([name]) => name)
  expect(writing.length).toBeGreaterThan(100)
  expect(rows.filter(([, { touches }]) => touches).map(([name]) => name)).toEqual(writing)
})

test('what it reads again is in its cache', () => {
  const nouns = new Set(
    Object.values(queryKeys).flatMap((key) => (typeof key === 'function' ? [] : 'all' in key ? key.all : key)),
  )
  const unknown = rows.flatMap(([name, { touches = [] }]) =>
    touches.filter((noun) => !nouns.has(noun)).map((noun) => `${name}: ${noun}`),
  )
  expect(unknown).toEqual([])
})

test('what is done to post sets touches the same, so that several changes are read again at once', () => {
  const said = Object.fromEntries(
    rows
      .filter(([, { touches = [] }]) => touches.includes('post-sets'))
      .filter(([name]) => /^(POST|PATCH|PUT|DELETE) \/post-sets(\/|$)/.test(name) && !/\/(retry|look|done)$/.test(name))
      // A text that was kept ends when it is saved, which no action does.
      .map(([name, { touches = [] }]) => [name, touches.filter((noun) => noun !== 'kept-drafts')]),
  )
  expect(Object.keys(said).length).toBeGreaterThan(8)
  expect(new Set(Object.values(said).map(String))).toEqual(
    new Set([String(ENDPOINTS['POST /post-sets/change'].touches)]),
  )
})

/** As the style of the code has it. */
function lineOf(name: string, touches: readonly string[]): string {
  const nouns = touches.map((noun) => `'${noun}'`)
  const line = `  '${name}': [${nouns.join(', ')}],`
  return line.length <= 120 ? line : `  '${name}': [\n${nouns.map((noun) => `    ${noun},\n`).join('')}  ],`
}

test('the dashboard has the rows as they are', async () => {
  const lines = rows.flatMap(([name, { touches = [] }]) => (touches.length === 0 ? [] : [lineOf(name, touches)]))
  const page = `// Made from the contract: \`npx vitest run test/touches.test.ts -u\`.
import type { Endpoints, Noun } from '#contract'

/** What each endpoint touches; the others, nothing. The rows themselves would bring their schemas along. */
export const TOUCHES: Partial<Record<keyof Endpoints, readonly Noun[]>> = {
${lines.join('\n')}
}
`
  await expect(page).toMatchFileSnapshot(join(import.meta.dirname, '../web/src/api/touches.ts'))
})
