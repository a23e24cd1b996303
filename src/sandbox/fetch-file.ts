import type { GuardedFetch } from '#media'
import type { SimulatorDeps } from '#networks'
import type { Blobs } from './blobs.ts'
import type { Turns } from './turns.ts'

/** The ways of the simulators to files that are named to them. */
export interface FileFetch {
  /** To the public internet alone. */
  guarded: Pick<GuardedFetch, 'download'>
  /** To this installation's own media, which may have a private address. */
  own: Pick<GuardedFetch, 'download'>
  /** What the addresses of own media begin with: `http://127.0.0.1:4010/media/`. */
  ownPrefix: string
}

/** Largest file that a network takes by address: https://developers.facebook.com/docs/threads/posts (1 GB, read 2026-11-21). */
const MAX_BYTES = 1_073_741_824
const TIMEOUT_MS = 120_000
const IDLE_MS = 30_000

/**
 * Fetches files as a network's servers would, into the files of its simulator: every address on the way is checked, at
 * most five redirects are followed, and nothing is held in memory. Rejects when the client that asked for it goes away.
 */
export function createFetchFile(
  blobs: Pick<Blobs, 'keepStream'>,
  ways: FileFetch,
  turns: Pick<Turns, 'take'>,
): SimulatorDeps['fetchFile'] {
  return (url, options) => turns.take((signal) => fetchNow(url, options, signal))

  async function fetchNow(
    url: string,
    options: { maxBytes: number },
    signal: AbortSignal,
  ): ReturnType<SimulatorDeps['fetchFile']> {
    // As it will be asked for: without `..` and in one spelling.
    const address = URL.parse(url)?.href
    if (address === undefined) return null
    const way = address.startsWith(ways.ownPrefix) ? ways.own : ways.guarded
    const found = await way.download(address, {
      signal,
      maxBytes: Math.min(options.maxBytes, MAX_BYTES),
      timeoutMs: TIMEOUT_MS,
      idleTimeoutMs: IDLE_MS,
    })
    if (found.kind === 'failed') return notFetched(found.code)
    try {
      return await blobs.keepStream(found.stream)
    } catch (error) {
      if (signal.aborted) throw error
      const { code } = error as NodeJS.ErrnoException
      if (code?.startsWith('media-upload:')) return notFetched(code)
      throw error
    }
  }
}

/** Anything that went wrong on the way: to a network it is a file that it could not get. */
function notFetched(code: string): 'too large' | null {
  return code === 'media-upload:too_large' ? 'too large' : null
}
