import type { HttpAnswer } from '../kit/http.ts'
import type { Connect, ConnectContext, ConnectOutcome, Credentials, RefreshOutcome } from '../network.ts'
import { call } from './api.ts'
import { findServer } from './did.ts'
import { errors } from './outcomes.ts'
import { type Blob, parseError, readExpiry, readProfileRecord, readSession } from './wire.ts'

export interface BlueskyCredentials extends Credentials {
  accessJwt: string
  refreshJwt: string
}

export const connect: Connect = { withPassword, refresh }

/**
 * Signs in with an app password at the service that was named (bsky.social by default) and finds the server that
 * holds the account. A service that was named speaks for the accounts alone that it holds by their own documents; the
 * installation's own is believed, and answers for many servers. Refuses accounts that are suspended or deactivated.
 */
async function withPassword(
  context: ConnectContext,
  input: { service: string | null; identifier: string; password: string },
): Promise<ConnectOutcome> {
  const own = context.endpoint('pds')
  const service = (input.service ?? own).replace(/\/+$/, '')
  const identifier = input.identifier.trim().replace(/^@/, '')
  const host = new URL(service).host
  const asked = await call(context, service, 'com.atproto.server.createSession', {
    method: 'POST',
    json: { identifier, password: input.password.trim() },
    parse: readSession,
  })
  if (asked.kind === 'failed') return failed(`${host} could not be reached. ${asked.message}`)
  if (asked.kind === 'refused') return failed(refusedSignIn(asked.answer, host))
  const session = asked.value
  if (session.active === false) return failed(inactive(session.status))

  const found = await findServer(context, session.did)
  if (found.kind === 'failed') return failed(found.message)
  const pds = found.address
  if (!isSameServer(pds, service) && !isSameServer(own, service)) {
    return failed(`${host} does not hold this account: ${new URL(pds).host} does. Name that one as the service.`)
  }
  if (!isSecure(pds, service)) return failed(`The server of the account, ${pds}, has no secure address.`)
  const face = await readProfile(context, pds, session.did)
  const credentials: BlueskyCredentials = { accessJwt: session.accessJwt, refreshJwt: session.refreshJwt }
  return {
    kind: 'connected',
    identity: {
      externalId: session.did,
      name: face.name ?? session.handle,
      username: session.handle,
      profileUrl: `${context.endpoint('web')}/profile/${session.handle}`,
      avatarUrl: face.avatar ? blobUrl(pds, session.did, face.avatar) : null,
      credentials,
      expiresAt: readExpiry(session.accessJwt),
      endpoints: { pds },
    },
  }
}

/**
 * Refresh tokens are spent by use. Servers answer a repeated use of the last one for a while, so a refresh whose
 * answer was lost can be made again.
 */
async function refresh(
  context: ConnectContext,
  identity: { externalId: string; credentials: Credentials },
): Promise<RefreshOutcome> {
  const asked = await call(context, context.endpoint('pds'), 'com.atproto.server.refreshSession', {
    method: 'POST',
    token: identity.credentials.refreshJwt,
    parse: (json) => sessionOf(json, identity.externalId),
  })
  if (asked.kind === 'failed') return asked
  if (asked.kind === 'refused') {
    const { meaning } = errors.lookUp(asked.answer, context.now())
    const isDead = meaning.kind === 'reconnect' || (meaning.kind === 'refused' && meaning.reason !== 'UNKNOWN')
    return { kind: isDead ? 'dead' : 'failed', message: meaning.message }
  }
  const { accessJwt, refreshJwt } = asked.value
  const credentials = { ...identity.credentials, accessJwt, refreshJwt }
  return { kind: 'refreshed', credentials, expiresAt: readExpiry(accessJwt) }
}

/** A session of another account is none. */
function sessionOf(json: unknown, did: string) {
  const session = readSession(json)
  return session?.did === did ? session : undefined
}

function refusedSignIn(answer: HttpAnswer, host: string): string {
  const error = parseError(answer)
  switch (error.name) {
    case 'AuthenticationRequired':
      return `${host} does not accept this handle and password. Make an app password in the Bluesky app: Settings, Privacy and security, App passwords.`
    case 'AuthFactorTokenRequired':
      return 'This is the main password of the account. Make an app password in the Bluesky app: Settings, Privacy and security, App passwords.'
    case 'AccountTakedown':
      return inactive('takendown')
    case 'RateLimitExceeded':
      return `${host} has seen too many sign-ins of this account. Try again in five minutes.`
    case null:
      return `${host} does not answer as a Bluesky server (status ${error.status}). Check the address of the service.`
    default:
      return `${host} refused the sign-in (${error.name}). ${error.message}`.trim()
  }
}

function inactive(status: string | undefined): string {
  if (status === 'deactivated')
    return 'The account is deactivated. Activate it in the settings of the Bluesky app first.'
  if (status === 'takendown' || status === 'suspended')
    return 'The account is suspended. Its owner must settle that first.'
  return 'The account is not active on its server.'
}

/** The token goes to this address: in the open only to a server that the operator named. */
function isSecure(pds: string, service: string): boolean {
  return new URL(pds).protocol === 'https:' || isSameServer(pds, service)
}

function isSameServer(one: string, other: string): boolean {
  return new URL(one).origin === new URL(other).origin
}

/** The profile as its owner wrote it. One that cannot be read is no reason to refuse the account. */
async function readProfile(
  context: ConnectContext,
  pds: string,
  did: string,
): Promise<{ name: string | null; avatar: Blob | null }> {
  const query = { repo: did, collection: 'app.bsky.actor.profile', rkey: 'self' }
  const asked = await call(context, pds, 'com.atproto.repo.getRecord', { query, parse: readProfileRecord })
  const profile = asked.kind === 'ok' ? asked.value.value : null
  return { name: profile?.displayName?.trim() || null, avatar: profile?.avatar ?? null }
}

function blobUrl(pds: string, did: string, blob: Blob): string {
  return `${pds}/xrpc/com.atproto.sync.getBlob?${new URLSearchParams({ did, cid: blob.ref.$link })}`
}

function failed(message: string): ConnectOutcome {
  return { kind: 'failed', message }
}
