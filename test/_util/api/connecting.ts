import { expect } from 'vitest'
import type { ConnectedAnswer, ConnectionSignIn, StartedSignIn } from '#contract'
import type { Api } from './api.ts'
import type { Person } from './members.ts'

/** Says yes or no on the page of a simulator. Gives the address to which the network sends the browser back. */
export async function decide(address: string, decision: 'allow' | 'deny' = 'allow'): Promise<URL> {
  const page = new URL(address)
  page.searchParams.set('decision', decision)
  const answer = await fetch(page, { redirect: 'manual' })
  expect(answer.status, await answer.text()).toBe(302)
  return new URL(answer.headers.get('location') ?? '')
}

/** A browser comes back from a network: with a person's cookie, or with none. */
export function comeBack(api: Api, back: URL, cookie: string | null): Promise<Response> {
  return fetch(`${api.url}${back.pathname}${back.search}`, {
    redirect: 'manual',
    headers: { 'sec-fetch-site': 'cross-site', ...(cookie === null ? {} : { cookie }) },
  })
}

export async function start(person: Person, body: object): Promise<StartedSignIn> {
  const started = await person.request('POST', '/connections/authorizations', { body })
  expect(started.status, JSON.stringify(started.body)).toBe(201)
  return started.body
}

export async function readSignIn(person: Person, id: string): Promise<ConnectionSignIn> {
  const read = await person.request('GET', `/connections/authorizations/${id}`)
  expect(read.status, JSON.stringify(read.body)).toBe(200)
  return read.body
}

/** A sign-in from its beginning to the page that the member comes back to. */
export async function signInThere(api: Api, person: Person, body: object): Promise<ConnectionSignIn> {
  const { id, address } = await start(person, body)
  const back = await comeBack(api, await decide(address), person.cookie)
  expect([back.status, back.headers.get('location')]).toEqual([
    303,
    expect.stringMatching(new RegExp(`^/dashboard/connections\\?set=[^&]+&authorization=${id}$`)),
  ])
  return readSignIn(person, id)
}

export async function choose(person: Person, id: string, body: object): Promise<ConnectedAnswer> {
  const chosen = await person.request('POST', `/connections/authorizations/${id}/choose`, { body })
  expect(chosen.status, JSON.stringify(chosen.body)).toBe(200)
  return chosen.body
}
