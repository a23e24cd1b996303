import { withoutInvisible } from '#contract'
import type { HttpAnswer } from '../kit/http.ts'
import { record, webAddress } from '../kit/read-json.ts'
import type { Connect, ConnectContext, ConnectOutcome, Credentials, RefreshOutcome } from '../network.ts'
import { errors, parseError } from './outcomes.ts'
import { call, readExpiry, readProfile, readSession } from './wire.ts'

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
  const service = (input.service ?? own).replace(/(?<!\/)\/+$/, '')
  const { host } = new URL(service)
  const asked = await call(context, 'com.atproto.server.createSession', {
    host: service,
    json: { identifier: withoutInvisible(input.identifier).trim().replace(/^@/, ''), password: input.password.trim() },
    parse: readSession,
  })
  if (asked.kind === 'failed') return failed(`${host} could not be reached. ${asked.message}`)
  if (asked.kind === 'refused') return failed(refusedSignIn(asked.answer, host))
  const { did, handle, accessJwt, refreshJwt, active, status } = asked.value
  if (active === false) return failed(inactive(status))

  const found = await findServer(context, did)
  if (found.kind === 'failed') return failed(found.message)
  const pds = found.address
  if (!isSameServer(pds, service) && !isSameServer(own, service)) {
    return failed(`${host} does not hold this account: ${new URL(pds).host} does. Name that one as the service.`)
  }
  // The token goes to this address: in the open only to a server that the operator named.
  if (!pds.startsWith('https:') && !isSameServer(pds, service)) {
    return failed(`The server of the account, ${pds}, has no secure address.`)
  }
  // The profile as its owner wrote it. One that cannot be read is no reason to refuse the account.
  const query = { repo: did, collection: 'app.bsky.actor.profile', rkey: 'self' }
  const read = await call(context, 'com.atproto.repo.getRecord', { host: pds, query, parse: readProfile })
  const { name, avatar } = read.kind === 'ok' ? read.value : { name: null, avatar: null }
  const blob = avatar && new URLSearchParams({ did, cid: avatar.ref.$link })
  return {
    kind: 'connected',
    identity: {
      externalId: did,
      name: name?.trim() || handle,
      username: handle,
      profileUrl: `${context.endpoint('web')}/profile/${handle}`,
      avatarUrl: blob && `${pds}/xrpc/com.atproto.sync.getBlob?${blob}`,
      credentials: { accessJwt, refreshJwt },
      expiresAt: readExpiry(accessJwt),
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
  { externalId, credentials }: { externalId: string; credentials: Credentials },
): Promise<RefreshOutcome> {
  const asked = await call(context, 'com.atproto.server.refreshSession', {
    method: 'POST',
    token: credentials.refreshJwt,
    // A session of another account is none.
    parse: (json) => (record(json)?.did === externalId ? readSession(json) : undefined),
  })
  if (asked.kind === 'failed') return asked
  if (asked.kind === 'refused') {
    const { meaning } = errors.lookUp(asked.answer, context.now())
    const isDead = meaning.kind === 'reconnect' || (meaning.kind === 'refused' && meaning.reason !== 'UNKNOWN')
    return { kind: isDead ? 'dead' : 'failed', message: meaning.message }
  }
  const { accessJwt, refreshJwt } = asked.value
  return { kind: 'refreshed', credentials: { ...credentials, accessJwt, refreshJwt }, expiresAt: readExpiry(accessJwt) }
}

const MAKE_ONE = 'Make an app password in the Bluesky app: Settings, Privacy and security, App passwords.'
const SUSPENDED = 'The account is suspended. Its owner must settle that first.'

function refusedSignIn(answer: HttpAnswer, host: string): string {
  const { name, status, message } = parseError(answer)
  if (name === null) {
    return `${host} does not answer as a Bluesky server (status ${status}). Check the address of the service.`
  }
  const known = new Map([
    ['AuthenticationRequired', `${host} does not accept this handle and password. ${MAKE_ONE}`],
    ['AuthFactorTokenRequired', `This is the main password of the account. ${MAKE_ONE}`],
    ['AccountTakedown', SUSPENDED],
    ['RateLimitExceeded', `${host} has seen too many sign-ins of this account. Try again in five minutes.`],
  ])
  return known.get(name) ?? `${host} refused the sign-in (${name}). ${message}`.trim()
}

function inactive(status: string | null): string {
  if (status === 'takendown' || status === 'suspended') return SUSPENDED
  return status === 'deactivated'
    ? 'The account is deactivated. Activate it in the settings of the Bluesky app first.'
    : 'The account is not active on its server.'
}

const isSameServer = (one: string, other: string) => new URL(one).origin === new URL(other).origin

const failed = (message: string) => ({ kind: 'failed', message }) as const

/** A document is small and near; what does not come by then does not come. */
const DOCUMENT_MS = 15_000

/**
 * The server that holds an account, by the document of the account's DID: who answers a sign-in can claim any DID,
 * but only the account's owner writes its document. `did:plc` is in the directory, `did:web` on the host that it
 * names (no port, no path). The address has no slash at the end.
 * Source: https://atproto.com/specs/did (read 2026-11-21).
 */
export async function findServer(
  context: ConnectContext,
  did: string,
): Promise<{ kind: 'found'; address: string } | { kind: 'failed'; message: string }> {
  const url = documentAddress(context, did)
  if (url === null) return failed(`The server names an account, ${did}, of a kind that Bluesky does not have.`)
  const headers = { accept: 'application/did+ld+json, application/json' }
  const { signal } = context
  const answer = await context.http({ method: 'GET', url, headers, signal, timeoutMs: DOCUMENT_MS })
  const asked = `${new URL(url).host} was asked where the account ${did} lives`
  if (answer.kind === 'failed') return failed(`${asked} and could not be reached. ${answer.message}`)
  if (answer.status === 404) return failed(`${asked} and does not know it.`)
  if (answer.status !== 200) return failed(`${asked} and does not say (status ${answer.status}). Try again later.`)
  const address = serverIn(answer, did)
  return address === null ? failed(`${asked} and names no server of it.`) : { kind: 'found', address }
}

function documentAddress(context: ConnectContext, did: string): string | null {
  if (/^did:plc:[a-z2-7]{24}$/.test(did)) return `${context.endpoint('plc')}/${did}`
  const host = /^did:web:((?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?)$/.exec(did)?.[1]
  return host === undefined ? null : `https://${host}/.well-known/did.json`
}

function serverIn({ json }: HttpAnswer, did: string): string | null {
  const document = record(json)
  if (document?.id !== did || !Array.isArray(document.service)) return null
  const ids = ['#atproto_pds', `${did}#atproto_pds`]
  const server = document.service.map(record).find((each) => ids.includes(String(each?.id)))
  return webAddress(server?.serviceEndpoint)?.replace(/(?<!\/)\/+$/, '') ?? null
}
