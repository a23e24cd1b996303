import { sql } from 'kysely'
import { expect } from 'vitest'
import type { MadeInvitation, Role } from '#contract'
import type { Answer, Api } from './api.ts'
import type { Person } from './members.ts'

/** From the page of the dashboard, without a session unless there is a cookie. */
export async function ask(
  api: Api,
  method: string,
  path: string,
  { body, cookie }: { body?: unknown; cookie?: string } = {},
): Promise<Answer> {
  return api.request(method, `/internal${path}`, {
    key: null,
    ...(body === undefined ? {} : { body }),
    headers: {
      origin: 'https://almanac.test',
      'sec-fetch-site': 'same-origin',
      ...(cookie === undefined ? {} : { cookie }),
    },
  })
}

/** Invites a person, which must work, and takes the token out of the link. */
export async function invite(
  inviter: Person,
  invitation: { email: string; role?: Role; socialSetIds?: readonly string[] | null },
): Promise<MadeInvitation & { token: string }> {
  const body = { role: 'author', socialSetIds: null, ...invitation }
  const answer = await inviter.request('POST', '/invitations', { body })
  expect(answer.status, JSON.stringify(answer.body)).toBe(201)
  return { ...answer.body, token: tokenOf(answer.body.link) }
}

export function tokenOf(link: string): string {
  return new URLSearchParams(new URL(link).hash.slice(1)).get('token') ?? ''
}

/** The header Cookie of an answer that started a session. */
export function cookieOf(answer: Answer): string {
  return answer.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ')
}

/** Until so many transactions wait for a lock that another one holds. */
export async function untilWaiting({ db }: Pick<Api, 'db'>, count: number): Promise<void> {
  for (const deadline = Date.now() + 20_000; Date.now() < deadline; ) {
    const { rows } = await sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
    if (rows.length >= count) return
  }
  throw new Error(`There were never ${count} who waited.`)
}
