/** A run of letters that is as long as a token. */
const LONG = /[A-Za-z0-9_-]{40,}/g
/** What follows `/shared/` is a secret, whole or cut off, unless it is the beginning of another path. */
const SHARED = /^(\/*shared\/+)(?!view(?:\/|$)|confirm\/)[^/]+/i
const CONFIRM = /^(\/*shared\/+confirm\/+)[^/]+/i

/**
 * The path of a request's target as the log may have it: without the query, which may hold what is no one's business, and
 * without the secrets of links. However a client has escaped them.
 */
export function loggedPath(url: string): string {
  const [path = ''] = url.split('?', 1)
  // Each escape by itself: one that is broken must not hide another.
  const plain = path.replace(/%[0-7][0-9a-f]/gi, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16)))
  const redacted = plain.replace(CONFIRM, '$1…').replace(SHARED, '$1…').replace(LONG, '…')
  return redacted === plain ? path : redacted
}
