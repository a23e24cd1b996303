import type { FastifyRequest } from 'fastify'

const FORWARDING = ['x-forwarded-for', 'x-forwarded-proto', 'forwarded']

/**
 * Warns, once, when headers of a proxy arrive although no proxy is trusted. Any client can write them, so the warning says
 * what it may mean and repeats nothing of them.
 */
export function createForwardedWarning({
  trustProxy,
  log,
}: {
  trustProxy: boolean | number | readonly string[]
  log: { warn(fields: object, message: string): void }
}) {
  let quiet = trustProxy !== false
  return function warnOfForwarded({ headers }: Pick<FastifyRequest, 'headers'>): void {
    if (quiet) return
    const names = FORWARDING.filter((name) => headers[name] !== undefined)
    if (names.length === 0) return
    quiet = true
    log.warn(
      { headers: names },
      'A request came with headers of a proxy, which are not believed: ALMANAC_TRUST_PROXY is off. With a proxy in front all clients share its address and one limit: set ALMANAC_TRUST_PROXY=1. Without one, a client made them up, and there is nothing to do',
    )
  }
}
