import type { IncomingMessage } from 'node:http'
import { answerConsent, redeemCode } from '../kit/consent.ts'
import { type SimulatedAnswer, SimulatedRefusal } from '../kit/faults.ts'
import { readForm } from '../kit/request-body.ts'
import { tokenStore } from '../kit/simulated-tokens.ts'
import type { SimulatorDeps } from '../kit/simulation.ts'
import type { Answering } from '../kit/simulator.ts'
import { chosen, ok, tokenIn } from '../meta/simulator.ts'
import { manifest } from './manifest.ts'
import type { SimulatedAccount } from './simulator-accounts.ts'

/** What a token stands for. */
interface Grant {
  scopes: readonly string[]
  long: boolean
  /** Milliseconds since 1970. */
  issuedAt: number
}

const PREFIX = 'IGAASANDBOX'
const HOUR_MS = 3_600_000
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

/** A token that has no end. */
export const writeOwnToken = (tokens: SimulatorDeps['tokens'], scopes: readonly string[]): string =>
  PREFIX + tokens.write('access', { scopes })

/** Errors of these hosts have no envelope. */
const flat = (code: number, message: string): SimulatedAnswer => ({
  status: code === 10 ? 403 : 400,
  body: { error_type: 'OAuthException', code, error_message: message },
})
/** The network's own error text repeats a token that it cannot parse. */
const invalidToken = (text: string | null): SimulatedAnswer =>
  flat(190, `Invalid OAuth access token - Cannot parse access token ${text ?? ''}`)

/** How a token that has ended is refused. */
export const tokenExpired = flat(190, 'Error validating access token: Session has expired.')

/**
 * The network's own sign-in: the page on which people decide under `/loginWeb`, codes under `/loginApi`, tokens under
 * `/loginGraph`. `authorize` reads the tokens of calls there; @throws SimulatedRefusal
 */
export function ownSignIn(deps: SimulatorDeps) {
  const clientId = manifest.settings.LOGIN_CLIENT_ID?.sandbox ?? ''
  const isSecret = (given: string | null | undefined) => deps.tokens.isSecret('LOGIN_CLIENT_SECRET', given)
  const now = () => deps.now().getTime()
  const lasting = (lastsMs: number) =>
    tokenStore<Grant>(
      deps,
      { access: { prefix: PREFIX, lastsMs }, refresh: { prefix: '', lastsMs, rotates: false } },
      (claims) => ({ scopes: (claims as Partial<Grant>).scopes ?? [], long: true, issuedAt: 0 }),
    )
  const [short, long] = [lasting(HOUR_MS), lasting(LONG_SECONDS * 1000)]

  /** The code for a token of an hour. */
  const redeem: Answering = async ({ request }) => {
    const form: Readonly<Record<string, string | undefined>> = await readForm(request)
    const isKnown = form.client_id === clientId && isSecret(form.client_secret)
    if (!isKnown) return flat(400, 'Error validating client secret.')
    if (form.grant_type !== 'authorization_code') return flat(400, 'Invalid grant_type')
    const grant = redeemCode(deps, form.code ?? '')
    if (grant?.clientId !== clientId) return flat(400, 'Matching code was not found or was already used')
    if (grant.redirectUri !== form.redirect_uri) {
      return flat(400, 'Error validating verification code. Please make sure your redirect_uri is identical')
    }
    const scopes = grant.scope.split(/[\s,]+/)
    const { accessToken } = short.give({ scopes, long: false, issuedAt: now() })
    // In a list, as the documentation has it.
    return ok({ data: [{ access_token: accessToken, user_id: APP_SCOPED_ID, permissions: scopes.join(',') }] })
  }

  /** A token of 60 days for one that may have it; others are refused in the words of a dead one. */
  function renew(query: URLSearchParams, grantType: string, may: (grant: Grant) => boolean): SimulatedAnswer {
    const text = query.get('access_token')
    const grant = long.access(text ?? '')
    if (query.get('grant_type') !== grantType) return flat(400, 'Invalid grant_type')
    if (!grant || !may(grant)) return invalidToken(text)
    const { accessToken } = long.give({ scopes: grant.scopes, long: true, issuedAt: now() })
    return ok({ access_token: accessToken, token_type: 'bearer', expires_in: LONG_SECONDS })
  }

  const open: Readonly<Record<string, Answering>> = {
    'GET /loginWeb/oauth/authorize': ({ request, response }) =>
      answerConsent(deps, request, response, { title: manifest.title, clientId, codeLastsMs: HOUR_MS, suffix: '#_' }),
    'POST /loginApi/oauth/access_token': redeem,
    'GET /loginGraph/access_token': ({ query }) =>
      isSecret(query.get('client_secret'))
        ? renew(query, 'ig_exchange_token', (grant) => !grant.long)
        : flat(400, 'Error validating client secret.'),
    // In which words a token of less than a day is refused is not documented.
    'GET /loginGraph/refresh_access_token': ({ query }) =>
      renew(query, 'ig_refresh_token', (grant) => grant.long && now() - grant.issuedAt >= 24 * HOUR_MS),
  }

  function authorize(request: IncomingMessage, scope: string): readonly SimulatedAccount[] {
    const text = tokenIn(request, null)
    const grant = long.access(text ?? '')
    if (!grant) throw new SimulatedRefusal(long.isOver(text ?? '') ? tokenExpired : invalidToken(text))
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
