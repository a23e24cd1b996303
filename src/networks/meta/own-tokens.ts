import type { Call, Called } from '../kit/api.ts'
import { addressWith, requestToken, type TokenOutcome } from '../kit/oauth.ts'
import type { ConnectContext, Credentials, RefreshOutcome } from '../network.ts'
import { type GraphError, parseError } from './errors.ts'
import { call, proofOf } from './graph.ts'

/**
 * Tokens of accounts that sign in by themselves, without a Page: one of an hour becomes one of 60 days, and that is renewed.
 * Contexts have the endpoint `graph` and the setting `CLIENT_SECRET` of that sign-in.
 */
export function ownTokens<P>(network: {
  /** Begins the sentences that people read. */
  title: string
  /** What the grant types begin with: `th` of `th_exchange_token`. */
  grants: string
  /** Of `GET me`, which shows whose token it is. */
  fields: string
  parse: Call<P>['parse']
  /** What people read when there is no token of 60 days. */
  notLasting: string
  /** Whether a refusal says for certain that the token is over, beside the errors 102 and 190. */
  isOver?(error: GraphError): boolean
  /** A renewal carries the proof of the app's secret. */
  proves?: true
}) {
  const { title, grants, fields, parse } = network
  const isOver = (error: GraphError) => error.code === 102 || error.code === 190 || network.isOver?.(error) === true
  const ask = (context: ConnectContext, path: string, parameters: Readonly<Record<string, string | null>>) =>
    requestToken(context, title, {
      method: 'GET',
      url: addressWith(`${context.endpoint('graph')}/${path}`, parameters),
    })

  function readProfile(context: ConnectContext, accessToken: string): Promise<Called<P>> {
    const caller = { ...context, credentials: { accessToken } }
    return call(caller, { method: 'GET', path: 'me', query: { fields }, timeoutMs: 15_000, parse })
  }

  return {
    readProfile,

    /** The token of 60 days for one of an hour. */
    async exchange(context: ConnectContext, shortToken: string): Promise<TokenOutcome> {
      const long = await ask(context, 'access_token', {
        grant_type: `${grants}_exchange_token`,
        client_secret: context.setting('CLIENT_SECRET'),
        access_token: shortToken,
      })
      // The network's own words repeat a token that it does not take.
      return long.kind === 'refused' ? { ...long, message: network.notLasting } : long
    },

    /**
     * A token for another 60 days. The network refuses to renew one that is less than a day old, in words that are documented
     * nowhere, so a refusal counts as the end only when the token is refused elsewhere too.
     */
    async refresh(context: ConnectContext, credentials: Credentials): Promise<RefreshOutcome> {
      const { accessToken = '' } = credentials
      const asked = await ask(context, 'refresh_access_token', {
        grant_type: `${grants}_refresh_token`,
        access_token: accessToken,
        appsecret_proof: network.proves ? proofOf(context, accessToken) : null,
      })
      if (asked.kind === 'failed') return asked
      if (asked.kind === 'token') {
        const { accessToken: renewed, expiresAt } = asked.token
        return { kind: 'refreshed', credentials: { ...credentials, accessToken: renewed }, expiresAt }
      }
      const profile = await readProfile(context, accessToken)
      if (profile.kind === 'refused' && isOver(parseError(profile.answer))) {
        return { kind: 'dead', message: `${title} no longer accepts the sign-in. Connect the account again.` }
      }
      const works = profile.kind === 'ok' ? ', which works all the same' : ''
      return { kind: 'failed', message: `${title} did not renew the sign-in${works} (${asked.status}).` }
    },
  }
}
