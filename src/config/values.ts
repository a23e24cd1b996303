import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '#contract/durations'

/** A setting has a value that cannot be read. The message completes the sentence "NAME …". */
export class WrongValueError extends Error {
  override name = 'WrongValueError'
}

const units: Record<string, number> = { ms: 1, s: SECOND_MS, m: MINUTE_MS, h: HOUR_MS, d: DAY_MS }

/** Milliseconds of `500ms`, `40s`, `10m`, `6h`, `2d`. */
export function readDuration(text: string): number {
  const match = /^(\d+(?:\.\d+)?)\s*(ms|s|m|h|d)$/.exec(text)
  const milliseconds = Math.round(Number(match?.[1]) * (units[match?.[2] ?? ''] ?? Number.NaN))
  if (!Number.isSafeInteger(milliseconds) || milliseconds <= 0) {
    throw new WrongValueError('must be a length of time such as 500ms, 40s, 10m, 6h or 2d')
  }
  return milliseconds
}

/** Milliseconds of a length of time up to a minute, or 0. */
export function readDelay(text: string): number {
  const milliseconds = /^0(ms|s)?$/.test(text) ? 0 : readDuration(text)
  if (milliseconds <= 60_000) return milliseconds
  throw new WrongValueError('must be a length of time from 0s to 60s')
}

/** How long idle connections stay open, in milliseconds. */
export function readKeepAlive(text: string): number {
  const milliseconds = readDuration(text)
  if (milliseconds >= 1_000 && milliseconds <= HOUR_MS) return milliseconds
  throw new WrongValueError('must be a length of time from 1s to 1h')
}

/** A number of connections. */
export function readConnections(text: string): number {
  const count = /^\d{1,6}$/.test(text) ? Number(text) : 0
  if (count >= 10) return count
  throw new WrongValueError('must be a whole number from 10 to 999999')
}

/** A number of things, one at the least. */
export function readCount(text: string): number {
  const count = /^\d{1,5}$/.test(text) ? Number(text) : 0
  if (count >= 1) return count
  throw new WrongValueError('must be a whole number from 1 to 99999')
}

/** A part of a whole, in percent, one at the least. */
export function readPercent(text: string): number {
  const percent = /^\d{1,3}$/.test(text) ? Number(text) : 0
  if (percent >= 1 && percent <= 100) return percent
  throw new WrongValueError('must be a whole number from 1 to 100')
}

/** `on` or `off`. */
export function readSwitch(text: string): boolean {
  const word = text.toLowerCase()
  if (['on', 'true', 'yes', '1'].includes(word)) return true
  if (['off', 'false', 'no', '0'].includes(word)) return false
  throw new WrongValueError('must be on or off')
}

/** Some of these names, separated by commas; comes back without spaces. */
export function readSomeOf(names: readonly string[], text: string): string {
  const given = text.split(',').map((name) => name.trim())
  const foreign = given.find((name) => !names.includes(name))
  if (foreign === undefined) return given.join(',')
  throw new WrongValueError(`must be some of ${names.join(', ')}, separated by commas`)
}

/** A TCP port. 0 means any free one. */
export function readPort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  if (!(port <= 65_535)) throw new WrongValueError('must be a port from 1 to 65535')
  return port
}

/** A host name or address to listen on, without scheme, port or brackets. */
export function readHost(text: string): string {
  const host = text.replace(/^\[(.*)\]$/, '$1')
  if (!/^[A-Za-z0-9._:-]+(%[A-Za-z0-9]+)?$/.test(host)) {
    throw new WrongValueError('must be a host name or an address, such as 127.0.0.1 or 0.0.0.0')
  }
  return host
}

/** Where metrics are served: `off` is nowhere (null), `on` is this machine alone, else the address to listen on. */
export function readMetricsHost(text: string): string | null {
  if (/^(on|true|yes|1|off|false|no|0)$/i.test(text)) return readSwitch(text) ? '127.0.0.1' : null
  if (!/[.:]/.test(text) && text !== 'localhost') {
    throw new WrongValueError('must be off, on, or an address to listen on such as 0.0.0.0')
  }
  return readHost(text)
}

/** An http or https address without credentials, query or fragment; comes back without a slash at the end. */
export function readBaseUrl(text: string): string {
  const url = URL.parse(text)
  if (!url || !['http:', 'https:'].includes(url.protocol)) {
    throw new WrongValueError('must be an address that begins with http:// or https://')
  }
  if (url.username || url.password) throw new WrongValueError('must not contain a user name or password')
  if (url.search || url.hash) throw new WrongValueError('must not contain ? or #')
  return `${url.origin}${url.pathname}`.replace(/(?<!\/)\/+$/, '')
}

/**
 * The address of a receiver of alerts. What is wrong is reported without repeating it: its path or query may hold a token.
 */
export function readAlertUrl(text: string): string {
  const url = URL.parse(text)
  if (!url || !['http:', 'https:'].includes(url.protocol)) {
    throw new WrongValueError('must be an address that begins with http:// or https://')
  }
  if (url.username || url.password) throw new WrongValueError('must not contain a user name or password')
  if (url.hash) throw new WrongValueError('must not contain #')
  return url.href
}

/** The address of a PostgreSQL database. What is wrong is reported without repeating it: it may hold a password. */
export function readDatabaseUrl(text: string): string {
  const url = URL.parse(text)
  if (!url || !['postgres:', 'postgresql:'].includes(url.protocol)) {
    throw new WrongValueError('must be an address such as postgres://user:password@host:5432/database')
  }
  if (url.pathname.length < 2)
    throw new WrongValueError('must name a database after the host: postgres://host/database')
  return text
}

/** The address of a mail server. What is wrong is reported without repeating it: it may hold a password. */
export function readSmtpUrl(text: string): string {
  const url = URL.parse(text)
  if (!url || !['smtp:', 'smtps:'].includes(url.protocol) || url.hostname === '') {
    throw new WrongValueError('must be an address such as smtp://user:password@host:587 or smtps://host')
  }
  if (url.search || url.hash || url.pathname.length > 1) {
    throw new WrongValueError('must have nothing behind the host and its port')
  }
  return text
}

/** `Almanac <almanac@example.com>`, or the address alone. */
export function readSender(text: string): string {
  if (/^(?:[^<>"@,;:\r\n]+<[^\s<>@]+@[^\s<>@]+>|[^\s<>@,;]+@[^\s<>@,;]+)$/.test(text)) return text
  throw new WrongValueError('must be one sender, such as Almanac <almanac@example.com>')
}

/** One or several base64 keys of 32 bytes, the first of which encrypts. */
export function readSecretKeys(text: string): readonly Buffer[] {
  const keys = text.split(',').map((part) => part.trim())
  return keys.map((key) => {
    const bytes = Buffer.from(key, 'base64')
    if (bytes.length !== 32 || !/^[A-Za-z0-9+/_-]+={0,2}$/.test(key)) {
      throw new WrongValueError(
        'must be 32 bytes as base64, several separated by commas; `openssl rand -base64 32` makes one',
      )
    }
    return bytes
  })
}

/**
 * Whether forwarding headers are believed: `off`, `on`, the number of proxies in front, or the addresses and ranges of
 * those that may be believed, separated by commas.
 */
export function readTrustProxy(text: string): boolean | number | readonly string[] {
  if (/^[1-9]\d?$/.test(text)) return Number(text)
  if (/^(on|true|yes|off|false|no|0)$/i.test(text)) return readSwitch(text)
  const ranges = text.split(',').map((part) => part.trim())
  if (ranges.every((range) => /^[0-9a-fA-F.:]+(\/\d{1,3})?$/.test(range) && /[.:]/.test(range))) return ranges
  throw new WrongValueError('must be on, off, the number of proxies, or their addresses separated by commas')
}

/** Host names or addresses separated by commas. */
export function readHosts(text: string): readonly string[] {
  return text
    .split(',')
    .map((part) => part.trim().toLowerCase())
    .filter((part) => part !== '')
}

/** Origins such as `https://calendar.example.com`, separated by commas, each as a browser writes it. */
export function readOrigins(text: string): readonly string[] {
  const parts = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
  return parts.map((part) => {
    const url = URL.parse(part)
    const plain = url && !url.username && !url.password && url.pathname === '/' && !/[?#]/.test(part)
    if (!plain || !['http:', 'https:'].includes(url.protocol) || part.includes('*')) {
      throw new WrongValueError(
        `must be origins separated by commas, such as https://calendar.example.com or http://192.168.0.5:4010; ${JSON.stringify(part)} is none`,
      )
    }
    return url.origin
  })
}

/** Any text. */
export function readText(text: string): string {
  return text
}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']

export function readLogLevel(text: string): string {
  const level = text.toLowerCase()
  if (!LOG_LEVELS.includes(level)) throw new WrongValueError(`must be one of ${LOG_LEVELS.join(', ')}`)
  return level
}
