import { expect, test } from 'vitest'
import { apiClient, pages } from './api.ts'
import type { HttpResult } from './http.ts'
import { answer, callerOf } from './testing.ts'

const SECRETS = {
  accessToken: 'act.AAAA-secret',
  refreshToken: 'rft.BBBB-secret',
  accessJwt: 'eyJ.CCCC',
  scope: 'post.write',
}
const upon = (result: HttpResult) => callerOf(() => result, { credentials: SECRETS })

const call = apiClient({ base: ({ endpoint }) => endpoint('api') })
const read = { method: 'GET', path: 'posts', query: { q: 'a b' }, parse: (body: unknown) => body ?? undefined } as const

test('no secret is in an address, nor in what is kept of an answer', async () => {
  const words = Object.values(SECRETS).join(' ')
  for (const status of [200, 400, 500]) {
    const { caller, sent } = upon(answer(status, { message: words }))
    const called = await call(caller, { ...read, parse: () => undefined })
    expect(sent[0]).toMatchObject({
      url: 'https://api.example/posts?q=a+b',
      headers: { authorization: `Bearer ${SECRETS.accessToken}` },
    })
    expect(called).toMatchObject({ kind: 'refused', answer: { status, json: { message: '… … … post.write' } } })
    expect(JSON.stringify(called)).not.toMatch(/secret|CCCC/)
  }
})

test('a success is what the API calls one, and what can be read', async () => {
  const odd = apiClient({ base: () => 'https://api.example', isOk: ({ status }) => status === 418 })
  expect(await odd(upon(answer(418, { id: 1 })).caller, read)).toEqual({ kind: 'ok', value: { id: 1 } })
  expect((await odd(upon(answer(200, { id: 1 })).caller, read)).kind).toBe('refused')
  expect((await call(upon(answer(204, null)).caller, read)).kind).toBe('refused')
  const failure = { kind: 'failed', sent: true, message: 'No.' } as const
  expect(await call(upon(failure).caller, read)).toBe(failure)
})

test('a listing is read to its end, to where it is of no more interest, or as far as it may be', async () => {
  const ask = async (next: string | null) => {
    const page = Number(next ?? 1)
    return { kind: 'ok' as const, value: { entries: [page], next: page < 3 ? String(page + 1) : null } }
  }
  const value = async (most: number, until?: (all: readonly number[]) => boolean) => {
    const listed = await pages(most, ask, until)
    return listed.kind === 'ok' ? listed.value : listed
  }
  expect(await value(9)).toEqual({ entries: [1, 2, 3], whole: true })
  expect(await value(9, (all) => all.includes(2))).toEqual({ entries: [1, 2], whole: true })
  expect(await value(2)).toEqual({ entries: [1, 2], whole: false, more: true })
})

test('a listing of which something could not be read is not whole', async () => {
  const ask = async (next: string | null) => {
    const isFirst = next === null
    return { kind: 'ok', value: { entries: [next], next: isFirst ? 'last' : null, partial: isFirst } } as const
  }
  expect(await pages(9, ask)).toEqual({ kind: 'ok', value: { entries: [null, 'last'], whole: false } })
})
