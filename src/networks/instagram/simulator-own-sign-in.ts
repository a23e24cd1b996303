import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { answerConsent, redeemCode } from '../kit/consent.ts'
import { type SimulatedAnswer, SimulatedRefusal } from '../kit/faults.ts'
import { readForm } from '../kit/request-body.ts'
import type { SimulatorDeps } from '../kit/simulation.ts'
import { answerRequest } from '../kit/simulator.ts'
import { chosen, invalid, ok, type Params, readParams, tokenIn, tooLarge, unknownPath } from '../meta/simulator.ts'
import { manifest } from './manifest.ts'
import type { SimulatedAccount } from './simulator-accounts.ts'

/** A call of the API with the account whose token it has; `me` and the account's id are the same. */
export interface OwnCall {
  method: string
  query: URLSearchParams
  params: Params
  id: string
  edge: string
  account: SimulatedAccount
}

/** What a token says of itself; it holds this in the clear and signed, so nothing has to be remembered of it. */
export interface OwnToken {
  long: boolean
  scopes: readonly string[]
  /** Milliseconds since 1970. */
  issuedAt: number
  expiresAt: number
  /** Sets two tokens of one moment apart. */
  nonce: string
}

const PREFIX = 'IGAASANDBOX'
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** As the documentation's example has it, a little less than 60 days. */
const LONG_SECONDS = 5_183_944

/** The one account that signs in by itself. It hangs on no Page. */
export const account: SimulatedAccount = {
  id: '17841499999900011',
  ledgerId: '17841499999900011',
  username: 'pretend_pottery',
  name: 'Pretend Pottery',
}
/** Its id for this app alone. No call takes it. */
const APP_SCOPED_ID = '27841499999900012'
const PROFILE_FIELDS = ['id', 'user_id', 'username', 'name', 'profile_picture_url', 'account_type']

export const writeOwnToken = (tokens: SimulatorDeps['tokens'], token: OwnToken): string =>
  PREFIX + tokens.write('own-access', token)

/** Errors of these hosts have no envelope. */
export const flat = (code: number, message: string, type = 'OAuthException'): SimulatedAnswer => ({
  status: code === 10 ? 403 : 400,
  body: { error_type: type, code, error_message: message },
})

/** How a token that has ended is refused. */
export const tokenExpired = flat(190, 'Error validating access token: Session has expired.')

/**
 * The network's own sign-in: the page on which people decide under `/loginWeb`, codes under `/loginApi`, tokens and the API
 * under `/loginGraph`, which takes its own tokens alone. `serve` answers calls that are allowed. Gives false for other paths.
 */
export function ownSignInHosts(
  deps: SimulatorDeps,
  serve: (response: ServerResponse, call: OwnCall) => Promise<SimulatedAnswer | null>,
) {
  const clientId = manifest.settings.LOGIN_CLIENT_ID?.sandbox ?? ''

  return async (request: IncomingMessage, response: ServerResponse, path: string): Promise<boolean> => {
    const url = new URL(path, 'http://instagram')
    const [, host, ...steps] = url.pathname.split('/')
    if (host !== 'loginWeb' && host !== 'loginApi' && host !== 'loginGraph') return false
    const asked = `${request.method} ${host} ${steps.join('/')}`
    if (host === 'loginWeb' && steps.join('/') === 'oauth/authorize') {
      const { title } = manifest
      answerConsent(deps, request, response, { title, clientId, codeLastsMs: HOUR_MS, suffix: '#_' })
      return true
    }
    await answerRequest(response, tooLarge, async () => {
      if (asked === 'POST loginApi oauth/access_token') return redeem(request)
      if (asked === 'GET loginGraph access_token') return exchange(url.searchParams)
      if (asked === 'GET loginGraph refresh_access_token') return renew(url.searchParams)
      if (host !== 'loginGraph') return unknownPath(url.pathname)
      return answerCall(request, response, url, steps)
    })
    return true
  }

  /** The code for a token of an hour. */
  async function redeem(request: IncomingMessage): Promise<SimulatedAnswer> {
    const form: Readonly<Record<string, string>> = await readForm(request)
    const wanted = ['client_id', 'client_secret', 'code', 'grant_type', 'redirect_uri']
    const missing = wanted.find((name) => !form[name])
    if (missing !== undefined) return flat(400, `Missing required field ${missing}`)
    if (form.client_id !== clientId || !deps.tokens.isSecret('LOGIN_CLIENT_SECRET', form.client_secret)) {
      return flat(400, 'Error validating client secret.')
    }
    if (form.grant_type !== 'authorization_code') return flat(400, 'Invalid grant_type')
    const grant = redeemCode(deps, form.code ?? '')
    if (grant?.clientId !== clientId) return flat(400, 'Matching code was not found or was already used')
    if (grant.redirectUri !== form.redirect_uri) {
      return flat(400, 'Error validating verification code. Please make sure your redirect_uri is identical')
    }
    const scopes = grant.scope.split(/[\s,]+/)
    const entry = { access_token: newToken(scopes, { long: false }), user_id: APP_SCOPED_ID }
    // In a list, as the documentation has it.
    return ok({ data: [{ ...entry, permissions: scopes.join(',') }] })
  }

  /** A token of an hour for one of 60 days. */
  function exchange(query: URLSearchParams): SimulatedAnswer {
    if (query.get('grant_type') !== 'ig_exchange_token') return flat(400, 'Invalid grant_type')
    if (!deps.tokens.isSecret('LOGIN_CLIENT_SECRET', query.get('client_secret'))) {
      return flat(400, 'Error validating client secret.')
    }
    const token = living(query.get('access_token'))
    if (!token || token.long) return invalidToken(query.get('access_token'))
    return lasting(token)
  }

  /**
   * Another 60 days for a token that is at least a day old and has not ended. In which words a younger one is refused is not
   * documented; here in those of a dead one.
   */
  function renew(query: URLSearchParams): SimulatedAnswer {
    if (query.get('grant_type') !== 'ig_refresh_token') return flat(400, 'Invalid grant_type')
    const token = living(query.get('access_token'))
    if (!token?.long || deps.now().getTime() - token.issuedAt < DAY_MS) return invalidToken(query.get('access_token'))
    return lasting(token)
  }

  function lasting({ scopes }: OwnToken): SimulatedAnswer {
    return ok({ access_token: newToken(scopes, { long: true }), token_type: 'bearer', expires_in: LONG_SECONDS })
  }

  function newToken(scopes: readonly string[], { long }: { long: boolean }): string {
    const issuedAt = deps.now().getTime()
    const expiresAt = issuedAt + (long ? LONG_SECONDS * 1000 : HOUR_MS)
    const token: OwnToken = { long, scopes, issuedAt, expiresAt, nonce: randomBytes(6).toString('hex') }
    return writeOwnToken(deps.tokens, token)
  }

  /** The token of a text; null for one that has ended or is none of this host's: those of Pages and persons. */
  function living(text: string | null): OwnToken | null {
    const token = readToken(text ?? '')
    return token && token.expiresAt > deps.now().getTime() ? token : null
  }

  function readToken(text: string): OwnToken | null {
    if (!text.startsWith(PREFIX)) return null
    return (deps.tokens.read('own-access', text.slice(PREFIX.length)) as OwnToken | undefined) ?? null
  }

  async function answerCall(
    request: IncomingMessage,
    response: ServerResponse,
    url: URL,
    [version = '', object = '', edge = '', ...rest]: readonly string[],
  ): Promise<SimulatedAnswer | null> {
    const given = { ...Object.fromEntries(url.searchParams), ...(await readParams(request)) }
    // The token and its proof may stand among the parameters, and are none of the call's own.
    const { access_token: inParams, appsecret_proof: _, ...params } = given as Params
    const text = tokenIn(request, inParams)
    const method = request.method ?? 'GET'
    authorize(text, method, edge)
    if (!/^v\d+\.\d+$/.test(version) || rest.length > 0) return unknownPath(url.pathname)
    if (method === 'GET' && object === 'me' && edge === '') return showProfile(url.searchParams)
    if (params.audio_configuration !== undefined) invalid('param audio_configuration is not allowed')
    const id = object === 'me' ? account.id : object
    return serve(response, { method, query: url.searchParams, params, id, edge, account })
  }

  /** @throws SimulatedRefusal */
  function authorize(text: string | null, method: string, edge: string): void {
    const token = readToken(text ?? '')
    if (!token) throw new SimulatedRefusal(invalidToken(text))
    if (!living(text)) throw new SimulatedRefusal(tokenExpired)
    const need = NEEDS[edge] ?? (method === 'GET' ? 'instagram_business_basic' : 'instagram_business_content_publish')
    if (token.scopes.includes(need)) return
    throw new SimulatedRefusal(flat(10, `Application does not have permission for this action: ${need}`))
  }
}

/** What a token must have been granted, by the end of the path. */
const NEEDS: Readonly<Record<string, string>> = {
  comments: 'instagram_business_manage_comments',
  content_publishing_limit: 'instagram_business_content_publish',
}

/** The network's own error text repeats a token that it cannot parse. */
const invalidToken = (text: string | null): SimulatedAnswer =>
  flat(190, `Invalid OAuth access token - Cannot parse access token ${text ?? ''}`)

const showProfile = (query: URLSearchParams): SimulatedAnswer => {
  const { id: userId, username, name } = account
  const profile = { id: APP_SCOPED_ID, user_id: userId, username, name, account_type: 'BUSINESS' }
  return ok(chosen(profile, query, PROFILE_FIELDS))
}
