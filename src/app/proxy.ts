import { type Config, isLoopback } from '#config'

/**
 * Why the settings about proxies look wrong, for the operator; null when they do not: without a public address, with one
 * that only this machine or our own port serves, and when the proxies that are trusted are counted or named.
 */
export function proxyWarning({
  publicUrl,
  trustProxy,
  host,
  port,
}: Pick<Config, 'publicUrl' | 'trustProxy' | 'host' | 'port'>): string | null {
  if (trustProxy === true) {
    return 'ALMANAC_TRUST_PROXY is on: the first address in X-Forwarded-For is believed, which a client can make up, and then no limit holds. Name the number of proxies in front instead, usually ALMANAC_TRUST_PROXY=1; /docs/proxy has examples.'
  }
  if (publicUrl === null || trustProxy !== false) return null
  const url = new URL(publicUrl)
  if (isLoopback(url.hostname)) return null
  // Almanac speaks no TLS: by http and its own port, browsers reach it without a proxy.
  if (url.protocol === 'http:' && Number(url.port || 80) === port && !isLoopback(host)) return null
  return `ALMANAC_PUBLIC_URL is ${publicUrl}, but ALMANAC_TRUST_PROXY is off: behind a proxy all clients seem to have its address and share one limit. Set ALMANAC_TRUST_PROXY=1 for one proxy in front; /docs/proxy has examples.`
}
