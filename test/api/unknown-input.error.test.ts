import { sql } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import { ENDPOINTS, type Endpoint } from '#contract'
import type { DeclaredRoute } from '#http'
import { ACCOUNT } from '../_util/security/account.ts'
import { callersOf, keyOf } from '../_util/security/callers.ts'
import { CONTENT } from '../_util/security/content.ts'
import { openFixture } from '../_util/security/fixture.ts'
import { NEWS } from '../_util/security/news.ts'
import { PEOPLE } from '../_util/security/people.ts'
import type { Given, Row, Table } from '../_util/security/row.ts'
import { WEBHOOKS } from '../_util/security/webhooks.ts'

/**
 * What no endpoint knows is refused by every one of them, and nothing has changed then: a parameter, a field, and a field of another
 * type. An endpoint's request is that of the table of access, which works.
 */
const fixture = await openFixture()
afterAll(() => fixture.close())

const TABLE: Table = { ...CONTENT, ...NEWS, ...ACCOUNT, ...PEOPLE, ...WEBHOOKS }
const nameOf = ({ method, url }: DeclaredRoute) => `${method} ${url.replace(/^\/(v1|internal)(?=\/)/, '')}`
const rows: Readonly<Record<string, Endpoint>> = ENDPOINTS
const cases = fixture.api.routes.flatMap((route) => {
  const endpoint = rows[nameOf(route)]
  const row = [TABLE[nameOf(route) as keyof Table] ?? []].flat()[0]
  if (!endpoint || !row) return []
  return [{ title: `${route.method} ${route.url}`, route, row, endpoint }]
})

/** What answers otherwise, and why. */
const OTHERWISE: Readonly<Record<string, (wrong: Wrong) => readonly [status: number, code: string | undefined]>> = {
  // It says what would be refused.
  'POST /post-sets/validate': ({ code }) => (code === 'request:invalid_query' ? [400, code] : [200, undefined]),
  // The start is not held: state comes before the query string.
  'GET /held-start/due': () => [409, 'request:refused'],
}

/** What a request changes by itself: when it was counted, and when its caller was here. */
const VOLATILE = ['rate_limits', 'sessions', 'api_keys']

/** A fingerprint of each table. */
async function stored(): Promise<Record<string, string>> {
  const { db } = fixture.api
  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`.execute(db)
  const kept = tables.filter(({ name }) => !VOLATILE.includes(name))
  const each = kept.map(
    ({ name }) =>
      sql`select ${name} as name, coalesce(md5(string_agg(t::text, '|' order by t::text)), '') as hash from ${sql.table(name)} t`,
  )
  const { rows: hashes } = await sql<{ name: string; hash: string }>`${sql.join(each, sql` union all `)}`.execute(db)
  return Object.fromEntries(hashes.map(({ name, hash }) => [name, hash]))
}

/** A caller for whom the request works, and that request. */
async function prepare(route: DeclaredRoute, row: Row): Promise<{ headers: Record<string, string>; given: Given }> {
  const caller = (await callersOf(fixture, route, row)).find(({ expected }) => expected === 'done')
  if (!caller) throw new Error(`No one may call ${route.method} ${route.url}.`)
  const person = caller.person ?? fixture.members.owner
  const given = (await row.given?.(fixture, { person, password: person.password, ...keyOf(route, caller) })) ?? {}
  const cookie = given.cookie ? { cookie: given.cookie } : {}
  return { headers: { ...caller.headers, ...cookie, ...given.headers }, given }
}

interface Wrong {
  what: string
  code: string
  query?: Record<string, string>
  body?: unknown
}

function wrongs({ query = {}, body }: Given, endpoint: Endpoint): Wrong[] {
  const unknown: Wrong = { what: 'a parameter', code: 'request:invalid_query', query: { ...query, colour: 'red' } }
  if (!endpoint.body) return [unknown]
  const types = Object.keys(body ?? {}).map((name): Wrong => {
    return { what: `${name} of another type`, code: 'request:invalid_body', query, body: { ...body, [name]: [[[]]] } }
  })
  const field: Wrong = { what: 'a field', code: 'request:invalid_body', query, body: { ...body, colour: 'red' } }
  return [{ ...unknown, body }, field, ...types]
}

describe('what it does not know is refused by', () => {
  test.each(cases)('$title', async ({ route, row, endpoint }) => {
    const { headers, given } = await prepare(route, row)
    const path = route.url.replace(/:(\w+)/g, (_, name) => encodeURIComponent(given.params?.[name] ?? ''))
    const before = await stored()
    const answers: [what: string, status: number, code: string | undefined][] = []
    const expected: typeof answers = []
    for (const wrong of wrongs(given, endpoint)) {
      const { what, code, query, body } = wrong
      const text = query && Object.keys(query).length > 0 ? `?${new URLSearchParams(query)}` : ''
      const sent = body === undefined ? {} : { body: body as object }
      const answer = await fixture.api.request(route.method, `${path}${text}`, { key: null, headers, ...sent })
      answers.push([what, answer.status, answer.body?.code])
      expected.push([what, ...(OTHERWISE[nameOf(route)]?.(wrong) ?? ([400, code] as const))])
    }
    expect(answers).toEqual(expected)
    expect(await stored()).toEqual(before)
  })
})
