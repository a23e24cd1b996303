/** A refusal that asks for a longer wait is for people to read. */
const MAX_WAIT_S = 2
const MAX_TRIES = 4
const TOO_MANY = 429

/**
 * Fetches as `fetch` does, and waits when there were too many requests in one second: somebody who loads a page three
 * times in a row, or has ten tabs, has done nothing wrong. Such a request was refused before anything happened, so any
 * may be sent again. The last answer is a refusal as well if the rate stays too high. Rejects as `fetch` does.
 */
export async function patientFetch(address: string, init: RequestInit): Promise<Response> {
  for (let tries = 1; ; tries++) {
    const answer = await fetch(address, init)
    const seconds = answer.status === TOO_MANY ? Number(answer.headers.get('retry-after') ?? Number.NaN) : Number.NaN
    if (!(seconds <= MAX_WAIT_S) || tries === MAX_TRIES) return answer
    // Unread, it would keep a connection of the browser, of which a host has six.
    void answer.body?.cancel().catch(() => {})
    // Those that were refused together do not come back together.
    await wait(seconds * 1_000 + Math.random() * 500, init.signal)
  }
}

function wait(ms: number, signal?: AbortSignal | null): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    if (signal?.aborted) stop()
    else signal?.addEventListener('abort', stop, { once: true })
  })
}
