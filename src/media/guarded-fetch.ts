import { type LookupAddress, lookup as systemLookup } from 'node:dns'
import { isIP, isIPv6, type LookupFunction } from 'node:net'
import { Agent, buildConnector, type Dispatcher } from 'undici'
import { isPublicAddress } from './addresses.ts'
import {
  checkImportUrl,
  type Download,
  type DownloadOptions,
  download,
  downloadIfChanged,
  type FileVersion,
  type Unchanged,
} from './download.ts'
import { userAgentOf } from './user-agent.ts'

/** Milliseconds for name lookup, connection and TLS together. */
const CONNECT_TIMEOUT_MS = 10_000

/** Raised by the dispatcher when a host is, or resolves to, an address that is not of the public internet. */
class AddressBlockedError extends Error {
  override readonly name = 'AddressBlockedError'
  readonly code = 'EADDRESSBLOCKED'

  /** The message leaves out what the name resolves to: that is knowledge about the inner network. */
  constructor(host: string) {
    super(`${host} is not an address of the public internet.`)
  }
}

export interface GuardedFetch {
  /** For undici's `request` and `fetch`; redirects that they follow are checked too. Raises `AddressBlockedError`. */
  dispatcher: Dispatcher
  /** Fetches a file by http or https. See `download.ts`. */
  download(url: string, options: DownloadOptions): Promise<Download>
  /** The same of a file of which a version is known. */
  downloadIfChanged(url: string, known: FileVersion, options: DownloadOptions): Promise<Download | Unchanged>
  /** What is wrong with a URL that can never be fetched, in words; null when it can be tried. */
  checkImportUrl(url: string): string | null
  /** Breaks off what is under way and closes all connections. */
  close(): Promise<void>
}

export interface GuardedFetchOptions {
  trustedHosts: readonly string[]
  lookup?: LookupFunction
  /** What hosts read of who asks; see `userAgentOf`. Default: the name alone. */
  userAgent?: string
  /** What every request goes through besides, such as a switch that keeps all of them back. */
  through?: ((dispatcher: Dispatcher) => Dispatcher) | undefined
}

/**
 * Builds the only way to hosts that a user or a network's answer named. The address is checked where the connection
 * is made: a literal before it is dialled, a name in the very lookup whose answer is dialled, so that a name that
 * changes its address between two lookups gains nothing. A name with one address that is not public is refused whole.
 *
 * `trustedHosts` (`host` or `host:port`, as written in the URL) are not checked. `lookup` replaces the system's.
 * Throws on an entry that is no host.
 */
export function createGuardedFetch(options: GuardedFetchOptions): GuardedFetch {
  const isTrusted = trustOf(options.trustedHosts)
  const lookup = options.lookup ?? (systemLookup as LookupFunction)
  // HTTP/1.1 alone: nothing here gains from HTTP/2, and one protocol is less to reason about.
  const plain = buildConnector({ lookup, timeout: CONNECT_TIMEOUT_MS, allowH2: false })
  const checking = buildConnector({ lookup: checkedLookup(lookup), timeout: CONNECT_TIMEOUT_MS, allowH2: false })

  const connect: buildConnector.connector = (target, callback) => {
    const host = bare(target.hostname).toLowerCase()
    if (isTrusted(target)) {
      plain(target, callback)
    } else if (isIP(host) && !isPublicAddress(host)) {
      process.nextTick(callback, new AddressBlockedError(host), null)
    } else {
      checking(target, callback)
    }
  }
  const agent = new Agent({ connect })
  const dispatcher = options.through?.(agent) ?? agent
  const way = { dispatcher, userAgent: options.userAgent ?? userAgentOf(null) }
  return {
    dispatcher,
    download: (url, downloadOptions) => download(way, url, downloadOptions),
    downloadIfChanged: (url, known, downloadOptions) => downloadIfChanged(way, url, known, downloadOptions),
    checkImportUrl,
    close: () => agent.destroy(),
  }
}

/** A lookup that fails with `AddressBlockedError` instead of answering with an address that is not public. */
function checkedLookup(lookup: LookupFunction): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error) return callback(error, [])
      const addresses = found as LookupAddress[]
      const [first] = addresses
      if (!first || !addresses.every(({ address }) => isPublicAddress(address))) {
        return callback(new AddressBlockedError(hostname), [])
      }
      if (options.all) callback(null, addresses)
      else callback(null, first.address, first.family)
    })
  }
}

/**
 * Whether a URL names one of these hosts (`host` or `host:port`, as written in the URL).
 *
 * @throws Error on an entry that is no host
 */
export function trustOf(
  entries: readonly string[],
): (target: Pick<URL, 'hostname' | 'protocol'> & { port?: string }) => boolean {
  const trusted = entries.map(parseTrustedHost)
  return ({ hostname, protocol, port }) => {
    const host = bare(hostname).toLowerCase()
    const named = port || (protocol === 'https:' ? '443' : '80')
    return trusted.some((entry) => entry.host === host && (entry.port === null || entry.port === named))
  }
}

function parseTrustedHost(entry: string): { host: string; port: string | null } {
  const text = isIPv6(entry) ? `[${entry}]` : entry
  const [, written = '', port = null] = /^(\[[^\]]+\]|[^\s/?#@\\*:[\]]+)(?::(\d+))?$/.exec(text) ?? []
  // The spelling that URLs give a host: lower case, punycode, plain numbers.
  const host = URL.parse(`http://${written}`)?.hostname
  if (!host) throw new Error(`"${entry}" is not a host or host:port.`)
  return { host: bare(host), port }
}

/** An IPv6 address is in brackets in a URL and nowhere else. */
function bare(host: string): string {
  return host.replace(/^\[|\]$/g, '')
}
