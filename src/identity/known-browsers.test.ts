import { expect, test } from 'vitest'
import { createKnownBrowsers } from './known-browsers.ts'

const [KEY, OLD, OTHER] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2), Buffer.alloc(32, 3)]
const DAY = 24 * 3_600_000

let at = Date.parse('2026-11-22T10:00:00Z')
const browsers = (secrets: Buffer[] = [KEY], publicUrl = 'https://almanac.test') =>
  createKnownBrowsers({ publicUrl, secrets, now: () => at })
const headersOf = (...cookies: string[]) =>
  new Headers({ cookie: cookies.map((cookie) => cookie.split(';', 1)[0]).join('; ') })

test('a cookie proves a browser for its user, with every key of the installation and no other', () => {
  const cookie = browsers([OLD]).rememberBrowser(new Headers(), 'ada')
  const known = browsers([KEY, OLD]).findKnownBrowser(headersOf('a=b', cookie), 'ada')
  expect(known).toMatch(/^[\w-]{22}$/)
  expect(browsers([OLD]).findKnownBrowser(headersOf(cookie), 'eve')).toBeNull()
  expect(browsers([KEY, OTHER]).findKnownBrowser(headersOf(cookie), 'ada')).toBeNull()
  expect(browsers([OLD]).findKnownBrowser(new Headers(), 'ada')).toBeNull()
})

test('for 400 days', () => {
  const { rememberBrowser, findKnownBrowser } = browsers()
  const headers = headersOf(rememberBrowser(new Headers(), 'ada'))
  at += 400 * DAY - 1_000
  expect(findKnownBrowser(headers, 'ada')).not.toBeNull()
  at += 1_000
  expect(findKnownBrowser(headers, 'ada')).toBeNull()
})

test('for the last five people, and each time with another id', () => {
  const { rememberBrowser, findKnownBrowser } = browsers()
  let headers = new Headers()
  for (const user of ['a', 'b', 'c', 'd', 'e', 'f', 'c']) headers = headersOf(rememberBrowser(headers, user))
  const known = ['a', 'b', 'c', 'd', 'e', 'f'].filter((user) => findKnownBrowser(headers, user) !== null)
  expect(known).toEqual(['b', 'c', 'd', 'e', 'f'])
  const again = headersOf(rememberBrowser(headers, 'c'))
  expect(findKnownBrowser(again, 'c')).not.toBe(findKnownBrowser(headers, 'c'))
})

test('below a path it is of that path, and without https it is sent all the same', () => {
  const cookie = browsers([KEY], 'http://calendar.test/almanac').rememberBrowser(new Headers(), 'ada')
  expect(cookie).toMatch(/^almanac\.known_browser=[^;]+; Max-Age=34560000; Path=\/almanac; HttpOnly; SameSite=Lax$/)
})
