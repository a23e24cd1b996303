import { createHmac, timingSafeEqual } from 'node:crypto'

const DAY_S = 86_400
/** Keeps these signatures apart from all others that the same secret may ever make. */
const DOMAIN = 'almanac media url v1'
/** Letters that need no escaping anywhere; never `.` or `..`. */
const PART = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/

interface MediaPath {
  id: string
  /** Which of the files of an item: `original`, `thumbnail`, `cover-2500`; may end like a file name, `original.jpg`. */
  variant: string
  /** Of a picture that may become another one, so that its address does too: letters and digits. It is not signed. */
  version?: string
}

export interface UrlSigner {
  /**
   * `<publicUrl>/media/<id>/<variant>?e=<expiry>&s=<signature>`, and `&v=<version>` where there is one; ASCII. Valid for `ttlHours` at least and up to a day
   * longer: the expiry (Unix seconds) is rounded up to the end of a day in UTC, so that the address stays the same
   * within a day.
   */
  sign(path: MediaPath, ttlHours: 48 | 72, now: Date): string
  /** `query` as the server parsed it, with any content. An expiry is looked at only when the signature is right. */
  verify(id: string, variant: string, query: Readonly<Record<string, unknown>>, now: Date): 'ok' | 'expired' | 'invalid'
}

/**
 * Signs addresses of media below `publicUrl` (with or without a path).
 *
 * @param options.secrets that no one else has: the first signs, all of them verify
 */
export function createUrlSigner(options: { publicUrl: string; secrets: readonly [Buffer, ...Buffer[]] }): UrlSigner {
  const base = new URL(options.publicUrl).href.replace(/(?<!\/)\/+$/, '')
  const signature = (secret: Buffer, id: string, variant: string, expiry: string) =>
    createHmac('sha256', secret).update([DOMAIN, id, variant, expiry].join('\0')).digest('base64url')
  const isSigned = (given: string, ...path: [id: string, variant: string, expiry: string]) =>
    options.secrets.some((secret) => timingSafeEqual(Buffer.from(given), Buffer.from(signature(secret, ...path))))

  return {
    sign({ id, variant, version }, ttlHours, now) {
      if (![id, variant, version ?? '0'].every((part) => PART.test(part)))
        throw new TypeError('Not the id, variant or version of a media file.')
      const expiry = String(Math.ceil((now.getTime() / 1000 + ttlHours * 3600) / DAY_S) * DAY_S)
      const signed = `e=${expiry}&s=${signature(options.secrets[0], id, variant, expiry)}`
      return `${base}/media/${id}/${variant}?${signed}${version === undefined ? '' : `&v=${version}`}`
    },
    verify(id, variant, query, now) {
      const { e: expiry, s: given } = query
      if (!PART.test(id) || !PART.test(variant)) return 'invalid'
      if (typeof expiry !== 'string' || !/^\d{1,12}$/.test(expiry)) return 'invalid'
      if (typeof given !== 'string' || !/^[A-Za-z0-9_-]{43}$/.test(given)) return 'invalid'
      if (!isSigned(given, id, variant, expiry)) return 'invalid'
      return now.getTime() < Number(expiry) * 1000 ? 'ok' : 'expired'
    },
  }
}
