import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { type SimulatedAnswer, SimulatedRefusal } from '../kit/faults.ts'
import type { SimulatorDeps } from '../kit/simulation.ts'
import { type Answering, idFor, usernameFor } from '../kit/simulator.ts'
import { ok, proofRefusal, tokenIn, withoutToken } from '../meta/simulator.ts'
import { ownTokenRoutes } from '../meta/simulator-own-tokens.ts'
import type { NetworkIdentity } from '../network.ts'
import { manifest } from './manifest.ts'
import { faultAnswers, graphFault, refuse } from './simulator-answers.ts'

/** A simulated profile. */
export interface SimulatedAccount {
  /** 17 digits, larger than a safe integer, as the network's own. */
  id: string
  /** Under which its posts are in the ledger: the connection's id, or its own when it came by the sign-in. */
  ledgerId: string
  username: string
  name: string
}

export interface Claims {
  account: SimulatedAccount
  scopes: readonly string[]
}

const PREFIX = 'THAAsandbox'
export const [READ, PUBLISH] = ['threads_basic', 'threads_content_publish'] as const

/** A token that has no end. */
export const writeToken = ({ tokens }: Pick<SimulatorDeps, 'tokens'>, claims: Claims): string =>
  PREFIX + tokens.write('access', claims)

/** Odd: an even one might survive being read as a floating-point number. */
const threadsId = (seed: string) => `${idFor(seed, '1784', 12)}7`

/** The one person who signs in on the simulator. */
const id = threadsId('sign-in')
const person: SimulatedAccount = { id, ledgerId: id, username: 'demo_person', name: 'Demo Person' }

/** The account of a sandbox connection: the same in every process and after every restart. */
export function identityFor(deps: SimulatorDeps, connection: { id: string; name: string }): NetworkIdentity {
  const { id: ledgerId, name } = connection
  const account = { id: threadsId(ledgerId), ledgerId, username: usernameFor(name), name }
  const scopes = [READ, PUBLISH]
  const accessToken = writeToken(deps, { account, scopes })
  const { id: externalId, username } = account
  const credentials = { accessToken }
  return { externalId, name, username, profileUrl: deps.url, avatarUrl: null, credentials, expiresAt: null }
}

/** Errors of the endpoint for codes are flat. */
const flat = (message: string): SimulatedAnswer => ({
  status: 400,
  body: { error_type: 'OAuthException', code: 400, error_message: message },
})
const wrongSecret = graphFault(1, null, 'Error validating client secret.')
const wrongGrant = graphFault(100, null, 'Invalid parameter: grant_type')

/** Endpoints of tokens, which have no version, and whose tokens calls carry. */
export function signIn(deps: SimulatorDeps, requireProof: boolean) {
  const clientId = manifest.settings.CLIENT_ID?.sandbox ?? ''
  const {
    open: routes,
    access,
    isOver,
  } = ownTokenRoutes<Claims>(deps, {
    title: manifest.title,
    clientId,
    secret: 'CLIENT_SECRET',
    grants: 'th',
    at: { web: '/web', codes: '/graph', tokens: '/graph' },
    refusals: {
      client: flat('Invalid client credentials'),
      codeGrantType: flat('Invalid grant type'),
      code: flat('Invalid verification code format or it was used before'),
      redirectUri: flat('Error validating verification code: redirect_uri differs'),
      secret: wrongSecret,
      grantType: wrongGrant,
      // The network's own error text repeats a token that it does not take.
      token: (text) => graphFault(190, 452, `Error validating access token: Session key invalid ${text}`),
    },
    prefix: PREFIX,
    signed: (claims) => claims as Claims,
    signedIn: (scopes) => ({ account: person, scopes }),
    // A number that JSON readers round: written by hand.
    body: (accessToken) => `{"access_token":${JSON.stringify(accessToken)},"user_id":${person.id}}`,
  })
  const refreshing = 'GET /graph/refresh_access_token'

  const open: Readonly<Record<string, Answering>> = {
    ...routes,
    [refreshing]: (call) =>
      proofOf(call.query.get('access_token') ?? '', call.query) ?? routes[refreshing]?.(call) ?? null,
    // A token of the app itself, which opens nothing here. In which words others are refused is not documented.
    'GET /graph/oauth/access_token': ({ query }) => {
      if (query.get('grant_type') !== 'client_credentials') return wrongGrant
      if (query.get('client_id') !== clientId) return graphFault(101, null, 'Error validating application.')
      if (!deps.tokens.isSecret('CLIENT_SECRET', query.get('client_secret'))) return wrongSecret
      return ok({ access_token: `TH|${clientId}|${randomBytes(18).toString('base64url')}`, token_type: 'bearer' })
    },
    // What a token is. The one that asks is looked at before.
    'GET /graph/debug_token': ({ request, query }) => {
      if (!access(tokenIn(request, query.get('access_token')) ?? '')) {
        return graphFault(190, null, 'Invalid OAuth access token.')
      }
      const token = access(query.get('input_token') ?? '')
      if (!token) return ok({ data: { is_valid: false, scopes: [] } })
      const [end, start] = [token.expiresAt ?? 0, token.issuedAt].map((at) => Math.floor(new Date(at).getTime() / 1000))
      const times = { data_access_expires_at: end, expires_at: end, issued_at: start }
      const { scopes, account } = token
      return ok({
        data: { type: 'USER', application: 'Almanac', ...times, is_valid: true, scopes, user_id: account.id },
      })
    },
  }

  const proofOf = (token: string, query: URLSearchParams) => proofRefusal(deps, token, query, requireProof)

  /** @throws SimulatedRefusal */
  function authorize(request: IncomingMessage, need: string): SimulatedAccount {
    const query = new URL(request.url ?? '', 'http://threads').searchParams
    const text = tokenIn(request, query.get('access_token')) ?? withoutToken()
    const refusal = proofOf(text, query)
    if (refusal) throw new SimulatedRefusal(refusal)
    if (isOver(text)) throw new SimulatedRefusal(faultAnswers['token-expired'])
    // The network's own error text repeats a token that it cannot parse.
    const token = access(text) ?? refuse(190, null, `Invalid OAuth access token - Cannot parse access token ${text}`)
    if (![READ, need].every((scope) => token.scopes.includes(scope))) {
      refuse(10, null, 'Application does not have permission for this action')
    }
    return token.account
  }

  return { open, authorize }
}
