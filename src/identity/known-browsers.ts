import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'
import { cookieAttributes, cookieName, readCookie } from './cookies.ts'

/** Browsers in which users have signed in before, by a signed cookie that outlives the session. */
export interface KnownBrowsers {
  /** Id of the browser that a request comes from, when this user has signed in there before; else null. */
  findKnownBrowser(headers: Headers, userId: string): string | null
  /** After this user has signed in: the value of Set-Cookie. Others whom the browser knows stay known. */
  rememberBrowser(headers: Headers, userId: string): string
}

interface Entry {
  userId: string
  id: string
  /** As it is sent: user, id, last second, signature. */
  text: string
}

/** Browsers keep no cookie for longer. */
const LASTS_SECONDS = 400 * 24 * 3_600
/** How many people of one browser are known, the last ones. */
const PEOPLE = 5
const ID_BYTES = 16

export function createKnownBrowsers({
  publicUrl,
  secrets,
  now = () => Date.now(),
}: {
  publicUrl: string
  /** The first signs; all of them verify. */
  secrets: readonly Buffer[]
  now?: () => number
}): KnownBrowsers {
  const keys = secrets.map((secret) => Buffer.from(hkdfSync('sha256', secret, '', 'almanac known browsers', 32)))
  const name = cookieName(publicUrl, 'almanac.known_browser')
  const attributes = cookieAttributes(publicUrl, LASTS_SECONDS)
  const seconds = () => Math.floor(now() / 1_000)

  function entriesOf(headers: Headers): Entry[] {
    const texts = readCookie(headers, name)?.split('~', PEOPLE) ?? []
    return texts.flatMap((text) => {
      const [userId = '', id = '', until = '', signature = ''] = text.split('.')
      const signed = keys.some((key) => isSame(signature, signatureOf(key, `${userId}.${id}.${until}`)))
      return signed && Number(until) > seconds() ? [{ userId, id, text }] : []
    })
  }

  return {
    findKnownBrowser: (headers, userId) => entriesOf(headers).find((entry) => entry.userId === userId)?.id ?? null,
    rememberBrowser(headers, userId) {
      const [key] = keys
      if (!key) throw new TypeError('Cookies are signed with a key.')
      const content = `${userId}.${randomBytes(ID_BYTES).toString('base64url')}.${seconds() + LASTS_SECONDS}`
      const others = entriesOf(headers).filter((entry) => entry.userId !== userId)
      const texts = [`${content}.${signatureOf(key, content)}`, ...others.map(({ text }) => text)]
      return `${name}=${texts.slice(0, PEOPLE).join('~')}; ${attributes}`
    },
  }
}

const signatureOf = (key: Buffer, content: string) => createHmac('sha256', key).update(content).digest('base64url')

function isSame(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)]
  return one.length === other.length && timingSafeEqual(one, other)
}
