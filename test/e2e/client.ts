import { expect } from 'vitest'

// biome-ignore lint/suspicious/noExplicitAny: answers are checked by what a test expects of them, not by types
type Body = any

/** A client of the API that knows nothing but HTTP, as users write it. Before it looks again it makes a pause. */
export function client(
  url: string,
  key: string,
  { pauseMs = 50, heard = () => {} }: { pauseMs?: number; heard?: (text: string) => void } = {},
) {
  async function call(method: string, path: string, body?: unknown): Promise<Body> {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    heard(text)
    const answer = JSON.parse(text)
    expect(response.ok, `${method} ${path}: ${JSON.stringify(answer)}`).toBe(true)
    return answer
  }
  return {
    get: (path: string) => call('GET', path),
    post: (path: string, body: unknown) => call('POST', path, body),
    /** Asks again until the answer is as wanted, for half a minute at most unless said otherwise. */
    async until(path: string, wanted: (body: Body) => boolean, { seconds = 30 } = {}): Promise<Body> {
      for (const deadline = Date.now() + seconds * 1000; ; ) {
        await new Promise((resolve) => setTimeout(resolve, pauseMs))
        const body = await call('GET', path)
        if (wanted(body)) return body
        if (Date.now() > deadline) throw new Error(`${path} stayed as it was: ${JSON.stringify(body)}`)
      }
    },
  }
}
