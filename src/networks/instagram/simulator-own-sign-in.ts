import type { IncomingMessage } from 'node:http'
import { type SimulatedAnswer, SimulatedRefusal } from '../kit/faults.ts'
import type { SimulatorDeps } from '../kit/simulation.ts'
import { chosen, ok, tokenIn } from '../meta/simulator.ts'
import { ownTokenRoutes } from '../meta/simulator-own-tokens.ts'
import { manifest } from './manifest.ts'
import type { SimulatedAccount } from './simulator-accounts.ts'

interface Claims {
  scopes: readonly string[]
}

const PREFIX = 'IGAASANDBOX'

/** The one account that signs in by itself. It hangs on no Page. */
export const account: SimulatedAccount = {
  id: '17841499999900011',
  ledgerId: '17841499999900011',
  username: 'demo_pottery',
  name: 'Demo Pottery',
}
/** Its id for this app alone. No call takes it. */
const APP_SCOPED_ID = '27841499999900012'

/** A token that has no end. */
export const writeOwnToken = (tokens: SimulatorDeps['tokens'], scopes: readonly string[]): string =>
  PREFIX + tokens.write('access', { scopes })

/** Errors of these hosts have no envelope. */
const flat = (code: number, message: string): SimulatedAnswer => ({
  status: code === 10 ? 403 : 400,
  body: { error_type: 'OAuthException', code, error_message: message },
})
/** The network's own error text repeats a token that it cannot parse. */
const invalidToken = (text: string): SimulatedAnswer =>
  flat(190, `Invalid OAuth access token - Cannot parse access token ${text}`)

/** How a token that has ended is refused. */
export const tokenExpired = flat(190, 'Error validating access token: Session has expired.')

/**
 * The network's own sign-in: the page on which people decide under `/loginWeb`, codes under `/loginApi`, tokens under
 * `/loginGraph`. `authorize` reads the tokens of calls there; @throws SimulatedRefusal
 */
export function ownSignIn(deps: SimulatorDeps) {
  const wrongSecret = flat(400, 'Error validating client secret.')
  const wrongGrant = flat(400, 'Invalid grant_type')

  const { open, access, isOver } = ownTokenRoutes<Claims>(deps, {
    title: manifest.title,
    clientId: manifest.settings.LOGIN_CLIENT_ID?.sandbox ?? '',
    secret: 'LOGIN_CLIENT_SECRET',
    grants: 'ig',
    at: { web: '/loginWeb', codes: '/loginApi', tokens: '/loginGraph' },
    refusals: {
      client: wrongSecret,
      codeGrantType: wrongGrant,
      code: flat(400, 'Matching code was not found or was already used'),
      redirectUri: flat(400, 'Error validating verification code. Please make sure your redirect_uri is identical'),
      secret: wrongSecret,
      grantType: wrongGrant,
      token: invalidToken,
    },
    prefix: PREFIX,
    signed: (claims) => ({ scopes: (claims as Partial<Claims>).scopes ?? [] }),
    signedIn: (scopes) => ({ scopes }),
    // In a list, as the documentation has it.
    body: (access_token, { scopes }) => ({
      data: [{ access_token, user_id: APP_SCOPED_ID, permissions: scopes.join(',') }],
    }),
  })

  function authorize(request: IncomingMessage, scope: string): readonly SimulatedAccount[] {
    const text = tokenIn(request, null) ?? ''
    const grant = access(text)
    if (!grant) throw new SimulatedRefusal(isOver(text) ? tokenExpired : invalidToken(text))
    const need = `instagram_business_${scope}`
    if (grant.scopes.includes(need)) return [account]
    throw new SimulatedRefusal(flat(10, `Application does not have permission for this action: ${need}`))
  }

  return { open, authorize }
}

/** `GET /me` */
export function showProfile(query: URLSearchParams): SimulatedAnswer {
  const profile = { ...account, id: APP_SCOPED_ID, user_id: account.id, profile_picture_url: undefined }
  return ok(chosen(profile, query, ['id', 'user_id', 'username', 'name', 'profile_picture_url']))
}
