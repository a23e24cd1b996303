import type { FastifyRequest } from 'fastify'
import { ProblemError } from '#contract'

export interface OwnOrigins {
  /** Address without a slash at the end. */
  publicUrl: string
  /** Further origins (`https://calendar.example.com`) at which browsers reach this installation. */
  trustedOrigins: readonly string[]
}

/** No name service decides where these lead: no other site can take them over. */
export const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/
const SAFE_METHODS = ['GET', 'HEAD', 'OPTIONS']

/**
 * Refuses what pages of other sites ask for. Browsers name the site with every request (`Sec-Fetch-Site`) and the origin
 * with those that change something (`Origin`). Our origins are that of the public address, the trusted ones, and
 * loopback names with the port that the request came in by. The header Host makes no origin ours: any name can be
 * pointed at this server (DNS rebinding), so a request that names no origin is answered at our own hosts alone.
 */
export function createSiteCheck({ publicUrl, trustedOrigins }: OwnOrigins) {
  const publicOrigin = new URL(publicUrl).origin
  const named = [publicOrigin, ...trustedOrigins]

  /** @throws ProblemError `auth:cross_site_request` */
  return function refuseOtherSites(request: FastifyRequest): void {
    // As it was sent: behind a trusted proxy, `request.host` is what X-Forwarded-Host says.
    const { origin, 'sec-fetch-site': site, host = '' } = request.headers
    const loopback = loopbackOrigin(host, request.socket.localPort)
    if (typeof site === 'string' && site !== 'same-origin' && site !== 'none') throw otherSite()
    if (origin !== undefined) {
      if (!named.includes(origin) && origin !== loopback) throw otherSite()
      return
    }
    if (!SAFE_METHODS.includes(request.method)) throw otherSite()
    if (loopback === null && !named.some((each) => isHostOf(host, each))) {
      throw otherSite(' A proxy in between must pass the header Host on.')
    }
  }

  function otherSite(more = ''): ProblemError {
    return new ProblemError(
      'auth:cross_site_request',
      `This is answered to the dashboard at ${publicOrigin} only. Set ALMANAC_PUBLIC_URL to the address in the browser, or add it to ALMANAC_TRUSTED_ORIGINS.${more}`,
    )
  }
}

/**
 * Refuses programs that reach us by a name that is not ours, and pages of other sites. Programs name no origin; the header Host
 * is all that tells a name which was pointed at this server (DNS rebinding) from our own.
 */
export function createHostCheck({ publicUrl, trustedOrigins }: OwnOrigins) {
  const named = [new URL(publicUrl).origin, ...trustedOrigins]

  /** @throws ProblemError `auth:cross_site_request` */
  return function refuseOtherHosts({ headers, socket }: FastifyRequest): void {
    const { origin, host = '' } = headers
    const loopback = loopbackOrigin(host, socket.localPort)
    const isOurs = loopback !== null || named.some((each) => isHostOf(host, each))
    if (isOurs && (origin === undefined || named.includes(origin) || origin === loopback)) return
    throw new ProblemError(
      'auth:cross_site_request',
      `This is answered at ${named[0]} only. Set ALMANAC_PUBLIC_URL to the address that programs use, or add it to ALMANAC_TRUSTED_ORIGINS. A proxy in between must pass the header Host on.`,
    )
  }
}

/**
 * Refuses what forms of other sites send. As `createSiteCheck`, but that a browser names no origin when the page with the form
 * keeps its address for itself (`Referrer-Policy: no-referrer`): then it must say that the site is our own.
 */
export function createFormCheck(origins: OwnOrigins) {
  const refuseOtherSites = createSiteCheck(origins)

  /** @throws ProblemError `auth:cross_site_request` */
  return function refuseForged(request: FastifyRequest): void {
    const { origin, 'sec-fetch-site': site } = request.headers
    if (origin === 'null' && site === 'same-origin') return
    refuseOtherSites(request)
  }
}

/** The origin of a page that a browser has loaded from this machine by our own port; null for any other host. */
function loopbackOrigin(host: string, port: number | undefined): string | null {
  const url = URL.parse(`http://${host}`)
  return url && LOOPBACK.test(url.hostname) && Number(url.port || 80) === port ? url.origin : null
}

/** Whether a header Host is that of an origin, with or without its default port. */
function isHostOf(host: string, origin: string): boolean {
  return URL.parse(`${new URL(origin).protocol}//${host}`)?.origin === origin
}
