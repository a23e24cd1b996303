import { expect } from 'vitest'
import type { MadeSharedCalendar, SharedCalendarBody } from '#contract'
import { done } from '../browser/dashboard-api.ts'
import type { Answer, Api, RequestOptions } from './api.ts'
import type { Person } from './members.ts'

/** As a browser asks from our own pages. */
export const OURS = { origin: 'https://almanac.test', 'sec-fetch-site': 'same-origin' }

export interface Shared extends MadeSharedCalendar {
  /** What is in the address. */
  token: string
}

export const EVERYTHING = {
  shows: { scheduled: true, drafts: true, published: true },
  allows: { comment: true, decide: true, notes: true },
} as const

/** Makes a link that shows and allows everything, unless a test wants less. */
export async function share(
  api: Pick<Api, 'socialSetId'>,
  owner: Person,
  more: Partial<SharedCalendarBody> = {},
): Promise<Shared> {
  const body = { name: 'Spring campaign', socialSetIds: [api.socialSetId], ...EVERYTHING, ...more }
  const made: MadeSharedCalendar = await done(owner.request('POST', '/shared-calendars', { body }), 201)
  return { ...made, token: made.address.slice('https://almanac.test/shared/'.length) }
}

/** The cookie of a guest's visit, at the https address of the tests. */
export const VISIT = '__Secure-almanac_visit'

/** The cookies that an answer sets, as the browser sends them; what has ended is left out. */
export function cookiesOf(headers: Headers): Record<string, string> {
  const pairs = headers.getSetCookie().flatMap((line) => {
    const [name = '', value = ''] = (line.split(';', 1)[0] ?? '').split('=')
    return line.includes('Max-Age=0;') ? [] : [[name, value]]
  })
  return Object.fromEntries(pairs)
}

const headerOf = (cookies: Readonly<Record<string, string>>) =>
  Object.entries(cookies)
    .map(([name, value]) => `${name}=${value}`)
    .join('; ')

/** A browser in front of a shared calendar. */
export interface GuestClient {
  /** Of the link. */
  id: string
  cookies: Record<string, string>
  /** Below the shared calendar. */
  request(method: string, path: string, options?: Pick<RequestOptions, 'body' | 'raw' | 'headers'>): Promise<Answer>
  /** Loads the page at its address, and keeps the cookies. */
  load(): Promise<Response>
  /** Follows an address again, and loads the page. */
  follow(token: string): Promise<void>
}

/** Follows the address of a link, as a browser does. */
export async function enter(
  api: Pick<Api, 'url' | 'request'>,
  { token }: Pick<Shared, 'token'>,
  { passcode, name }: { passcode?: string; name?: string } = {},
): Promise<GuestClient> {
  const client: GuestClient = {
    id: '',
    cookies: {},
    request: (method, path, options = {}) =>
      api.request(method, `/shared/view/${client.id}${path}`, {
        key: null,
        ...options,
        headers: { ...OURS, cookie: headerOf(client.cookies), ...options.headers },
      }),
    async load() {
      const page = await fetch(`${api.url}/shared/view/${client.id}`, { headers: { cookie: headerOf(client.cookies) } })
      const kept = Object.entries(client.cookies).filter(([cookie]) => cookie !== '__Secure-almanac_entry')
      client.cookies = { ...Object.fromEntries(kept), ...cookiesOf(page.headers) }
      return page
    },
    async follow(again) {
      const entered = await open(api, again, passcode)
      expect(entered.status, await entered.clone().text()).toBe(303)
      client.id = /^\/shared\/view\/([^/?]+)/.exec(entered.headers.get('location') ?? '')?.[1] ?? ''
      Object.assign(client.cookies, cookiesOf(entered.headers))
      await client.load()
    },
  }
  await client.follow(token)
  if (name !== undefined) await done(client.request('PUT', '/visit/name', { body: { name } }))
  return client
}

/** Opens an address with a secret; with a passcode, as its form does. */
export function open(api: Pick<Api, 'url'>, token: string, passcode?: string): Promise<Response> {
  const form = { origin: 'null', 'sec-fetch-site': 'same-origin' }
  return fetch(`${api.url}/shared/${token}`, {
    redirect: 'manual',
    ...(passcode === undefined ? {} : { method: 'POST', headers: form, body: new URLSearchParams({ passcode }) }),
  })
}
