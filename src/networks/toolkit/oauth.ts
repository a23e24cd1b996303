import type { ConnectContext, Credentials, RefreshOutcome } from '../network.ts'
import type { HttpRequest } from './http.ts'
import { number, record, string } from './read-json.ts'

/** What a token endpoint gave. Names and units of RFC 6749, section 5.1, which all networks follow so far. */
export interface TokenAnswer {
  accessToken: string
  /** Null when the answer holds none: then an older one stays as it is. */
  refreshToken: string | null
  /** By the clock of the context; null when the network does not say. */
  expiresAt: Date | null
  /** As the network writes them, often not what was asked for. */
  scope: string | null
  /** The whole body, for what else a network says (`open_id`, `refresh_token_expires_in`). */
  body: Readonly<Record<string, unknown>>
}

export type TokenOutcome =
  | { kind: 'token'; token: TokenAnswer }
  /** The network says no. `error` is its own code (`invalid_grant`), empty when it gave none; `message` is for people. */
  | { kind: 'refused'; status: number; error: string; message: string }
  /** A passing fault; nothing was learnt. */
  | { kind: 'failed'; message: string }

/** An address with these parameters, in this order; nulls are left out. */
export function addressWith(base: string, parameters: Readonly<Record<string, string | null>>): string {
  const url = new URL(base)
  for (const [name, value] of Object.entries(parameters)) if (value !== null) url.searchParams.set(name, value)
  return url.href
}

/** Asks a token endpoint. `network` begins the sentences that people read. */
export async function requestToken(
  context: Pick<ConnectContext, 'http' | 'signal' | 'now'>,
  network: string,
  request: Pick<HttpRequest, 'method' | 'url' | 'headers' | 'form' | 'json'>,
): Promise<TokenOutcome> {
  const answer = await context.http({ ...request, signal: context.signal, timeoutMs: 20_000 })
  if (answer.kind === 'failed') return { kind: 'failed', message: `${network} could not be reached. ${answer.message}` }
  const body = record(answer.json)
  const accessToken = string(body?.access_token)
  if (answer.status < 300 && body && accessToken !== undefined) {
    const seconds = number(body.expires_in)
    return {
      kind: 'token',
      token: {
        accessToken,
        refreshToken: string(body.refresh_token) ?? null,
        expiresAt: seconds === undefined ? null : new Date(context.now().getTime() + seconds * 1000),
        scope: string(body.scope) ?? null,
        body,
      },
    }
  }
  if (!body || answer.status >= 500 || answer.status === 429) {
    return { kind: 'failed', message: `${network} answered the sign-in with a fault (${answer.status}).` }
  }
  const error = string(body.error) ?? string(record(body.error)?.type) ?? string(body.error_type) ?? ''
  const words =
    string(body.error_description) ??
    string(record(body.error)?.message) ??
    string(body.error_message) ??
    string(body.message)
  const told = words && withoutSecrets(words, request).replace(/\s+/g, ' ').slice(0, 200)
  const message = `${network} refused the sign-in${told ? `: ${told}` : ` (${error || answer.status}).`}`
  return { kind: 'refused', status: answer.status, error, message }
}

/** Networks repeat in their words what they cannot read; what was sent is taken out, whole, before they are cut short. */
function withoutSecrets(words: string, { url, form, headers }: Pick<HttpRequest, 'url' | 'form' | 'headers'>): string {
  const sent = [...new URL(url).searchParams.values(), ...Object.values(form ?? {}), ...Object.values(headers ?? {})]
  const secrets = sent.flatMap((value) => value.split(' ')).filter((value) => value.length >= 8)
  return secrets.reduce((text, secret) => text.replaceAll(secret, '…'), words)
}

/** Errors of RFC 6749, section 5.2, that say that a grant is over and nothing of ours is wrong. */
const DEAD_GRANTS: readonly string[] = ['invalid_grant', 'invalid_request', 'unauthorized_client', 'access_denied']

/**
 * A refresh by `grant_type=refresh_token`. The credentials have `accessToken` and `refreshToken`; a refresh token that
 * the answer does not renew is kept.
 *
 * @param dead further error codes by which the network says that the grant is over
 */
export async function refreshGrant(
  context: Pick<ConnectContext, 'http' | 'signal' | 'now'>,
  network: string,
  credentials: Credentials,
  request: Pick<HttpRequest, 'url' | 'headers' | 'form'>,
  dead: readonly string[] = DEAD_GRANTS,
): Promise<RefreshOutcome> {
  const { refreshToken } = credentials
  if (!refreshToken) return { kind: 'dead', message: `${network} gave no refresh token. Connect the account again.` }
  const form = { grant_type: 'refresh_token', refresh_token: refreshToken, ...request.form }
  const asked = await requestToken(context, network, { method: 'POST', ...request, form })
  if (asked.kind === 'token') {
    const { accessToken, expiresAt } = asked.token
    const renewed = { ...credentials, accessToken, refreshToken: asked.token.refreshToken ?? refreshToken }
    return { kind: 'refreshed', credentials: renewed, expiresAt }
  }
  if (asked.kind === 'failed' || !dead.includes(asked.error)) return { kind: 'failed', message: asked.message }
  return { kind: 'dead', message: `${network} no longer accepts the sign-in. Connect the account again.` }
}

/** `Authorization: Basic` of an app, for token endpoints that want it in the header. */
export function basicAuthorization(id: string, secret: string): string {
  return `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString('base64')}`
}

/** The id and the secret of such a header; undefined where there are none. */
export function readBasicAuthorization(header: string | undefined): (string | undefined)[] {
  const encoded = /^Basic (\S+)$/.exec(header ?? '')?.[1] ?? ''
  return [...new URLSearchParams(Buffer.from(encoded, 'base64').toString('utf8').replace(':', '='))][0] ?? []
}
