import type { Answer, Api, RequestOptions } from './api.ts'
import { newMember } from './members.ts'

/** A person in front of the dashboard in a browser of their own, signed in or not: it keeps the cookies that it gets. */
export interface Visitor {
  /** Below /internal, from our own origin. */
  request(method: string, path: string, options?: Pick<RequestOptions, 'body' | 'headers'>): Promise<Answer>
  signIn(person: { email: string; password: string }): Promise<Answer>
  /** By name. */
  cookies: Map<string, string>
}

/**
 * @param headers what every request has, such as a name of the browser
 * @param options.waits asks again in the next second when this one has had as many requests as one address may make
 */
export function newVisitor(
  api: Pick<Api, 'request'>,
  headers: Record<string, string> = {},
  { waits = true }: { waits?: boolean } = {},
): Visitor {
  const cookies = new Map<string, string>()
  const visitor: Visitor = {
    cookies,
    async request(method, path, options = {}) {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
      const ask = () =>
        api.request(method, `/internal${path}`, {
          key: null,
          ...options,
          headers: {
            origin: 'https://almanac.test',
            'sec-fetch-site': 'same-origin',
            ...(cookie === '' ? {} : { cookie }),
            ...headers,
            ...options.headers,
          },
        })
      let answer = await ask()
      while (waits && answer.body?.code === 'rate-limit:exceeded') answer = await ask()
      for (const one of answer.headers.getSetCookie()) keep(cookies, one)
      return answer
    },
    signIn: ({ email, password }) => visitor.request('POST', '/session', { body: { email, password } }),
  }
  return visitor
}

function keep(cookies: Map<string, string>, header: string): void {
  const [pair = '', ...attributes] = header.split('; ')
  const at = pair.indexOf('=')
  const name = pair.slice(0, at)
  if (attributes.includes('Max-Age=0')) cookies.delete(name)
  else cookies.set(name, pair.slice(at + 1))
}

export interface KnownPerson {
  userId: string
  email: string
  password: string
}

/** A member of the account of a test who is not signed in yet. */
export async function newPerson(api: Api, role: 'owner' | 'editor' = 'editor'): Promise<KnownPerson> {
  const { userId, password } = await newMember(api, api.accountId, undefined, { role })
  return { userId, password, email: `${userId}@example.invalid` }
}

/** The same with an address that receives mail. */
export async function newMailPerson(api: Api, role: 'owner' | 'editor' = 'editor'): Promise<KnownPerson> {
  const person = await newPerson(api, role)
  const email = person.email.replace('.invalid', '.com')
  await api.db.updateTable('users').set({ email }).where('id', '=', person.userId).execute()
  return { ...person, email }
}
