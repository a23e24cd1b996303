import type { Called, Caller } from '../kit/api.ts'
import type { HttpAnswer } from '../kit/http.ts'
import { addressWith, requestToken, type TokenAnswer, type TokenOutcome } from '../kit/oauth.ts'
import { idIn, may, need, reader, record, string, webAddress } from '../kit/read-json.ts'
import type { ConnectContext, Credentials, RefreshOutcome, SignInOutcome } from '../network.ts'
import { readQuota } from './containers.ts'
import { type GraphError, parseError } from './errors.ts'
import { call, proofOf } from './graph.ts'

/**
 * Accounts that sign in by themselves, without a Page: a token of an hour becomes one of 60 days, and that is renewed.
 * Contexts have the endpoint `graph` and the setting `CLIENT_SECRET` of that sign-in.
 */
export function ownTokens(network: {
  /** Begins the sentences that people read. */
  title: string
  /** What the grant types begin with: `th` of `th_exchange_token`. */
  grants: string
  /** What permits to read and to publish. */
  scopes: readonly [reads: string, publishes: string]
  /** Whether a refusal says that such a permission is missing. */
  isNotPermitted(error: GraphError): boolean
  /** Names of the id and of the picture in `GET me`, which shows whose token it is. */
  profile: { id: 'id' | 'user_id'; picture: string }
  /** The id of the account, where the answer to the code says it. */
  idOf?(short: TokenAnswer): string | undefined
  /** The path of a call that is refused without the permission to publish. */
  quota(externalId: string): string
  profileUrl(context: ConnectContext, username: string): string
  /** The name of this sign-in, where the network has several. */
  signIn?: string
  /** What people read when there is no token of 60 days, and when the account is not shown. */
  notLasting: string
  notShown?: string
  /** Whether a refusal says for certain that the token is over, beside the errors 102 and 190. */
  isOver?(error: GraphError): boolean
  /** A renewal carries the proof of the app's secret. */
  proves?: true
}) {
  const { title, grants, scopes } = network
  const [reads, publishes] = scopes
  const signIn = network.signIn === undefined ? {} : { signIn: network.signIn }
  const fault = `${title} had a passing problem while signing in. Sign in again.`
  const without = (missing: readonly string[]) =>
    failed(
      `${title} was not granted: ${missing.join(', ')}. Sign in again and allow everything that is asked for; the app must have these permissions at the vendor.`,
    )
  const isOver = (error: GraphError) => error.code === 102 || error.code === 190 || network.isOver?.(error) === true
  const lacksPermission = (called: Called<unknown>) =>
    called.kind === 'refused' && network.isNotPermitted(parseError(called.answer))
  const ask = (context: ConnectContext, path: string, parameters: Readonly<Record<string, string | null>>) =>
    requestToken(context, title, {
      method: 'GET',
      url: addressWith(`${context.endpoint('graph')}/${path}`, parameters),
    })

  const { id, picture } = network.profile
  const profileIn = reader({
    username: need('username', string),
    name: may('name', string),
    avatarUrl: may(picture, webAddress),
  })
  /** The documentation of Instagram has it in a list as well: `{"data":[{…}]}`. */
  function parseProfile(body: unknown, { text }: HttpAnswer) {
    const { data } = record(body) ?? {}
    const profile = profileIn(Array.isArray(data) ? data[0] : body)
    return profile && { ...profile, externalId: idIn(text, id) }
  }

  const readProfile = (caller: Caller) =>
    call(caller, {
      method: 'GET',
      path: 'me',
      query: { fields: `${id},username,name,${picture}` },
      timeoutMs: 15_000,
      parse: parseProfile,
    })

  /** The token of 60 days for one of an hour. */
  async function exchange(context: ConnectContext, shortToken: string): Promise<TokenOutcome> {
    const long = await ask(context, 'access_token', {
      grant_type: `${grants}_exchange_token`,
      client_secret: context.setting('CLIENT_SECRET'),
      access_token: shortToken,
    })
    // The network's own words repeat a token that it does not take.
    return long.kind === 'refused' ? { ...long, message: network.notLasting } : long
  }

  return {
    readProfile,

    /** The account that signed in. `granted`: its permissions, null where the answer to the code says nothing of them. */
    async accounts(
      context: ConnectContext,
      short: TokenAnswer,
      granted: readonly string[] | null = null,
    ): Promise<SignInOutcome> {
      const missing = scopes.filter((each) => granted?.includes(each) === false)
      if (missing.length > 0) return without(missing)
      const long = await exchange(context, short.accessToken)
      if (long.kind !== 'token') return failed(long.message)
      const { accessToken, expiresAt } = long.token
      const caller = { ...context, credentials: { accessToken, ...signIn } }
      const profile = await readProfile(caller)
      if (lacksPermission(profile)) return without([reads])
      if (profile.kind === 'failed' || (profile.kind === 'refused' && profile.answer.status >= 500))
        return failed(fault)
      if (profile.kind === 'refused') return failed(network.notShown ?? fault)
      const { username, name, avatarUrl } = profile.value
      const externalId = network.idOf?.(short) ?? profile.value.externalId
      if (externalId === undefined) return failed(`${title} did not give the id of the account.`)
      if (granted === null && lacksPermission(await readQuota(caller, network.quota(externalId)))) {
        return without([publishes])
      }
      const account = {
        externalId,
        name: name ?? username,
        username,
        profileUrl: network.profileUrl(context, encodeURIComponent(username)),
        avatarUrl,
        credentials: caller.credentials,
        expiresAt,
        ...signIn,
      }
      return { kind: 'accounts', accounts: [account] }
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
      const profile = await readProfile({ ...context, credentials })
      if (profile.kind === 'refused' && isOver(parseError(profile.answer))) {
        return { kind: 'dead', message: `${title} no longer accepts the sign-in. Connect the account again.` }
      }
      const works = profile.kind === 'ok' ? ', which works all the same' : ''
      return { kind: 'failed', message: `${title} did not renew the sign-in${works} (${asked.status}).` }
    },
  }
}

const failed = (message: string) => ({ kind: 'failed', message }) as const
