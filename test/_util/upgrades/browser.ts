// biome-ignore lint/suspicious/noExplicitAny: answers are checked by what is expected of them, not by types
type Body = any

/** A user of an installation: by a key below /v1, or in a browser below /internal. */
export interface Person {
  /** Asks, and throws when the answer is no success. */
  ask(method: string, path: string, body?: unknown): Promise<Body>
  cookies: Map<string, string>
}

export function newPerson(url: string, key: string | null = null): Person {
  const cookies = new Map<string, string>()
  return {
    cookies,
    async ask(method, path, body) {
      const answer = await fetch(`${url}${path}`, {
        method,
        headers: {
          ...(key === null ? { origin: url } : { authorization: `Bearer ${key}` }),
          ...(cookies.size === 0 ? {} : { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') }),
          ...(body === undefined || body instanceof FormData ? {} : { 'content-type': 'application/json' }),
          // A decision names the version that was seen.
          ...(path.endsWith('/review') ? { 'if-match': '*' } : {}),
        },
        ...(body === undefined ? {} : { body: body instanceof FormData ? body : JSON.stringify(body) }),
      })
      for (const cookie of answer.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
        cookies.set(name, value)
      }
      const text = await answer.text()
      if (!answer.ok) throw new Error(`${method} ${path} was answered with ${answer.status}: ${text}`)
      return text === '' ? null : JSON.parse(text)
    },
  }
}
