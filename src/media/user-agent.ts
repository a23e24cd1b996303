import manifest from '../../package.json' with { type: 'json' }
import { isPrivateHost } from './addresses.ts'

/** Without the last part: who asks does not become another one with every correction. */
const NAME = `Almanac/${manifest.version.split('.').slice(0, 2).join('.')}`

/**
 * What hosts that people name read of who asks: `Almanac/0.1 (+https://almanac.example.com)`. Some refuse programs that leave no
 * way to reach those who run them (https://meta.wikimedia.org/wiki/User-Agent_policy, read 2026-11-29). An address that is
 * reached from nowhere else is not one, and says something of the inner network.
 */
export function userAgentOf(publicUrl: string | null): string {
  const url = publicUrl === null ? null : URL.parse(publicUrl)
  return url && !isPrivateHost(url.hostname) ? `${NAME} (+${url.href.replace(/\/$/, '')})` : NAME
}
