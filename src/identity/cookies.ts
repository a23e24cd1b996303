import { type LibraryKeys, resignCookie } from './library-keys.ts'

/** What of a request signing in goes by. */
export interface SignInFrom {
  headers: Headers
  /** Address of the client, as it is shown beside the session. */
  address: string
}

/** The header in which the sign-in library is reported the client's address. What a client writes there is not passed on. */
export const ADDRESS_HEADER = 'x-almanac-address'

/** The value of a cookie as it came; null without one. */
export function readCookie(headers: Headers, name: string): string | null {
  for (const pair of (headers.get('cookie') ?? '').split(';')) {
    const at = pair.indexOf('=')
    if (at > 0 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim()
  }
  return null
}

/**
 * The name of a cookie of ours, by which a browser takes it over https alone where this installation has https: another host of its
 * domain cannot set it without.
 */
export const cookieName = (publicUrl: string, name: string) =>
  publicUrl.startsWith('https:') ? `${SECURE}${name}` : name
const SECURE = '__Secure-'

/** The value of a cookie that is set by `cookieName`. Browsers that had it by its plain name before there was https keep that one until it ends. */
export const readNamedCookie = (headers: Headers, name: string): string | null =>
  readCookie(headers, `${SECURE}${name}`) ?? readCookie(headers, name)

/** Longer ones say nothing more about a browser. */
const USER_AGENT = 300

/**
 * What the sign-in library gets of a request: these cookies, the browser's name and the address.
 *
 * @param keys any of which has signed the cookies
 */
export function requestHeaders(
  { headers, address }: SignInFrom,
  cookies: readonly string[],
  keys: LibraryKeys,
): Headers {
  const known = new Headers({ 'user-agent': (headers.get('user-agent') ?? '').slice(0, USER_AGENT) })
  const pairs = cookies.flatMap((name) => {
    const value = readCookie(headers, name)
    return value === null ? [] : [`${name}=${resignCookie(value, keys)}`]
  })
  if (pairs.length > 0) known.set('cookie', pairs.join('; '))
  // Of IPv6 a network is counted; shown is its first address.
  known.set(ADDRESS_HEADER, address.replace(/\/\d+$/, ''))
  return known
}

/**
 * The end of a Set-Cookie of ours: for the paths of this installation, or those below one of them, and for https alone where
 * it has https.
 *
 * @param below begins with a slash
 */
export function cookieAttributes(publicUrl: string, maxAgeSeconds: number, below = ''): string {
  const { protocol, pathname } = new URL(publicUrl)
  const secure = protocol === 'https:' ? ' Secure;' : ''
  const path = below === '' ? pathname : `${pathname.replace(/\/$/, '')}${below}`
  return `Max-Age=${maxAgeSeconds}; Path=${path}; HttpOnly;${secure} SameSite=Lax`
}
