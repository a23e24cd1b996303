import { describe, expect, test } from 'vitest'
import type { AccountType } from '#contract'
import { DAY_MS } from '#contract/durations'
import { networkAppsOf } from '../apps.ts'
import type { HttpResult } from '../kit/http.ts'
import { answer, CHALLENGE, lost, openStage, page, redirectUriOf, type StageOptions } from '../kit/testing.ts'
import type { Network, NetworkIdentity } from '../network.ts'
import type { Trouble } from './delivery.ts'
import { stageFor } from './stages.ts'

/** What the suite must know of a sign-in. Calls are named as `Stage.calls` names them. */
export interface SignInFacts {
  accountType: AccountType
  /** Where calls are named from: `api/v5`. */
  base: string
  /** Headers of every call. */
  headers?: StageOptions['headers']
  /** End of the address of the consent page, and its parameters without callback, state and PKCE. */
  page: string
  asks: Readonly<Record<string, string>>
  /** Settings that prove the app. Default: what the sign-in requires, and every secret. */
  app?: readonly string[]
  /** Where a code becomes tokens. */
  token: string
  /** Where tokens are renewed; default the same. */
  renewal?: string
  /** A call that every access token may make, by which the account is read. */
  reads: string
  /** Another call that the token of an account may make. */
  probe?: (account: NetworkIdentity) => string
  /** The scope without which `reads` is refused. */
  readsNeeds?: string
  /** Further parts of an address that `reads` wants: `?fields=id`. */
  query?: string
  /** Each must be granted, and these are the words of the message when one is not. */
  scopes: Readonly<Record<string, string>>
  codeMs: number
  /** Milliseconds that an access token works; null: it has no end. */
  accessMs: number | null
  /** Milliseconds until what a person allows ends, where the network says so beside the end of a token. */
  consentMs?: number
  /** Null: none is given. `needed`: without one nothing is connected. */
  refresh: { rotates: boolean; lastsMs: number | null; needed: boolean } | null
  /** Answers to a renewal, and what the connection is after each. */
  renewals?: readonly (readonly [status: number, body: unknown, kind: 'dead' | 'failed'])[]
}

/** Answers after which nothing is known. */
const FAULTS: Readonly<Record<string, HttpResult>> = {
  'a connection that breaks': lost,
  'a server error': answer(503, {}),
  'a page of a gateway': page(502),
  'a success of another shape': answer(200, { surprise: [] }),
}

/** The sign-in of a network against its simulator: consent, codes, scopes, tokens and their renewal. */
export function describeSignIn(network: Network, facts: SignInFacts): void {
  const { accountType, refresh, reads } = facts
  const stage = stageFor('all', () => openStage(network, accountType, facts))

  const statusWith = async (token: string, call = `${reads}${facts.query ?? ''}`) =>
    (await stage.api(call, reads.startsWith('POST') ? {} : undefined, { token })).status
  const separator = (scope: string) => (scope.includes(',') ? ',' : ' ')
  const without = (left: string) => (url: URL) => {
    const scope = url.searchParams.get('scope') ?? ''
    const kept = scope.split(separator(scope)).filter((each) => each !== left)
    // Something else is allowed instead when it was the only one.
    url.searchParams.set('scope', kept.join(separator(scope)) || 'something.else')
  }
  async function signedIn(): Promise<NetworkIdentity> {
    const [account] = await stage.signIn.accounts()
    return account
  }
  const failed = (words: RegExp = /^[A-Z].{20,}/s) => ({ kind: 'failed', message: expect.stringMatching(words) })

  describe(`sign-in of ${accountType}`, () => {
    test('asks for what publishing needs, and no more', () => {
      const url = stage.signIn.address()
      expect(url.pathname.endsWith(facts.page)).toBe(true)
      expect(Object.fromEntries(url.searchParams)).toEqual({
        ...facts.asks,
        redirect_uri: redirectUriOf(network),
        state: 'st&te',
        ...(network.connect.oauth?.pkce ? { code_challenge: CHALLENGE, code_challenge_method: 'S256' } : {}),
      })
    })

    test('gives accounts, the same at every time, whose token works and stands in no address', async () => {
      const [first, again] = [await stage.signIn.accounts(), await stage.signIn.accounts()]
      expect(again.map(({ externalId }) => externalId)).toEqual(first.map(({ externalId }) => externalId))
      const [account] = first
      const { credentials, expiresAt } = account
      expect(await statusWith(credentials.accessToken ?? '', facts.probe?.(account))).toBe(200)
      expect(stage.sent.filter(({ url }) => url.includes(credentials.accessToken ?? '?'))).toEqual([])
      const lastsMs = facts.consentMs ?? facts.accessMs
      const left = (expiresAt?.getTime() ?? 0) - stage.world.clock.now().getTime()
      if (lastsMs === null) expect(expiresAt).toBeNull()
      else expect(Math.abs(left - lastsMs)).toBeLessThan(120_000)
      expect(credentials.refreshToken !== undefined).toBe(refresh !== null)
    })

    test('brings the person back with a no, and without a code', async () => {
      const back = await stage.signIn.decide('deny')
      expect([back.get('error'), back.get('state'), back.has('code')]).toEqual(['access_denied', 'st&te', false])
    })

    test('a code is good once, in its time, for its address and its verifier', async () => {
      const code = await stage.signIn.code()
      expect((await stage.signIn.complete(code)).kind).toBe('accounts')
      const again = await stage.signIn.complete(code)
      expect(again).toMatchObject(failed())
      expect(JSON.stringify(again)).not.toContain(code)
      expect(await stage.signIn.complete('made-up')).toMatchObject(failed())
      const elsewhere = { redirectUri: 'https://elsewhere.example/' }
      expect(await stage.signIn.complete(await stage.signIn.code(), elsewhere)).toMatchObject(failed())
      if (network.connect.oauth?.pkce) {
        expect(await stage.signIn.complete(await stage.signIn.code(), { verifier: 'w'.repeat(43) })).toMatchObject(
          failed(),
        )
      }
      const late = await stage.signIn.code()
      stage.pass(facts.codeMs + 1_000)
      expect(await stage.signIn.complete(late)).toMatchObject(failed())
      expect((await stage.signIn.complete(await stage.signIn.code())).kind).toBe('accounts')
    })

    test.each(Object.entries(facts.scopes))('without %s nothing is connected', async (scope, words) => {
      const outcome = await stage.signIn.run(undefined, without(scope))
      expect(outcome).toMatchObject({ kind: 'failed', message: expect.stringContaining(words) })
    })

    const secrets = Object.entries(network.manifest.settings).filter(([, { secret }]) => secret)
    const proving = [...(network.connect.oauth?.requires ?? []), ...secrets.map(([name]) => name)]
    test.each(facts.app ?? [...new Set(proving)])('another %s gets nothing for a code', async (name) => {
      const code = await stage.signIn.code()
      const context = stage.context({}, { [name]: 'another' })
      expect(await stage.signIn.complete(code, { context })).toMatchObject(failed())
      expect((await stage.signIn.complete(code)).kind).toBe('accounts')
    })

    const apps = networkAppsOf(network).flatMap(({ check, ...each }) => (check ? [{ ...each, check }] : []))
    test.each(apps)('the app $id is known by its id and secret, and by no others', async (each) => {
      const ask = (own: Readonly<Record<string, string>> = {}, trouble?: Trouble) =>
        each.check(stage.context(trouble, own), { redirectUri: redirectUriOf(network) })
      expect(await ask()).toBe('works')
      expect(await ask({ [each.idSetting]: 'another' })).toMatch(/^wrong(-id)?$/)
      expect(await ask({ [each.secretSetting]: 'another' })).toMatch(/^wrong(-secret)?$/)
      const upon = async (result: HttpResult) => ask({}, { intercept: async () => result })
      expect(await upon(lost)).toBe('unreachable')
      expect(await upon(page(502))).toBe('unreachable')
      expect(await upon(answer(429, { error: 'slow_down' }))).toBe('unreachable')
      expect(await upon(answer(400, { error: 'temporarily_odd' }))).toBe('unclear')
    })

    describe.each([facts.token, reads])('at %s', (call) => {
      test.each(Object.entries(FAULTS))('%s is reported in words', async (_, fault) => {
        expect(await stage.signIn.run(stage.context(stage.on(call, fault, { times: 100 })))).toMatchObject(failed())
      })
    })

    if (facts.accessMs !== null)
      test('an access token ends, and none or another is refused', async () => {
        const { accessToken = '' } = (await signedIn()).credentials
        for (const token of ['', 'no-one']) expect(await statusWith(token)).toBeGreaterThanOrEqual(400)
        stage.pass(facts.accessMs ?? 0)
        expect(await statusWith(accessToken)).toBeGreaterThanOrEqual(400)
      })

    const { readsNeeds } = facts
    if (readsNeeds !== undefined)
      test(`a token without ${readsNeeds} does not read`, async () => {
        await stage.signIn.run(undefined, without(readsNeeds))
        const given = stage.calls(facts.token).at(-1)?.result as { json: { access_token: string } }
        expect(await statusWith(given.json.access_token)).toBeGreaterThanOrEqual(400)
      })

    if (refresh?.needed)
      test('access without a refresh token is not taken: it would soon be over', async () => {
        const sparing = stage.on(facts.token, async (exchange) => {
          const real = await exchange.send()
          if (real.kind === 'failed') return real
          return { ...real, json: { ...(real.json as object), refresh_token: undefined } }
        })
        expect(await stage.signIn.run(stage.context(sparing))).toMatchObject(failed())
      })
  })

  if (refresh) describe(`renewal of ${accountType}`, () => describeRenewal(refresh))

  function describeRenewal({ rotates, lastsMs }: NonNullable<SignInFacts['refresh']>): void {
    const renewal = facts.renewal ?? facts.token

    test('gives an access token that works', async () => {
      const { credentials } = await signedIn()
      const renewed = await stage.signIn.refresh(credentials)
      if (renewed.kind !== 'refreshed') throw new Error(renewed.message)
      expect(Object.keys(renewed.credentials).sort()).toEqual(Object.keys(credentials).sort())
      expect(renewed.credentials.accessToken).not.toBe(credentials.accessToken)
      expect(await statusWith(renewed.credentials.accessToken ?? '')).toBe(200)
      expect(renewed.expiresAt?.getTime()).toBeGreaterThan(stage.world.clock.now().getTime())
      expect(renewed.credentials.refreshToken !== credentials.refreshToken).toBe(rotates)
      expect(await stage.signIn.refresh(renewed.credentials)).toMatchObject({ kind: 'refreshed' })
      expect(await stage.signIn.refresh(credentials)).toMatchObject(
        rotates ? { kind: 'dead', message: expect.stringContaining('again') } : { kind: 'refreshed' },
      )
    })

    test('keeps a connection alive when it comes in time, and not when it comes too late', async () => {
      let { credentials } = await signedIn()
      expect((await stage.signIn.refresh({ ...credentials, refreshToken: 'unknown' })).kind).toBe('dead')
      const every = network.connect.renewEveryMs
      if (lastsMs === null || every === undefined) return
      expect(every).toBeLessThan(lastsMs)
      for (let turn = 0; turn < 5; turn++) {
        stage.pass(rotates ? every : Math.floor((lastsMs - DAY_MS) / 5))
        const outcome = await stage.signIn.refresh(credentials)
        if (outcome.kind !== 'refreshed') throw new Error(outcome.message)
        credentials = outcome.credentials
      }
      stage.pass((rotates ? lastsMs : 2 * DAY_MS) + 1)
      expect((await stage.signIn.refresh(credentials)).kind).toBe('dead')
    })

    const learnt = [
      ...Object.values(FAULTS).map((fault) => [fault, 'failed'] as const),
      [answer(429, { error: 'slow_down' }), 'failed'] as const,
      [answer(401, { error: 'invalid_client' }), 'failed'] as const,
      [page(400), 'failed'] as const,
      ...(facts.renewals ?? []).map(([status, body, kind]) => [answer(status, body), kind] as const),
    ].map(
      ([result, kind]) =>
        [result.kind === 'failed' ? result.message : `${result.status} ${result.text}`, result, kind] as const,
    )
    test.each(learnt)('%s', async (_, result, kind) => {
      const { credentials } = stage.world.backend
      const context = stage.context(stage.on(renewal, result, { times: 100 }))
      const outcome = await stage.signIn.refresh({ ...credentials, refreshToken: 'any-refresh-token' }, context)
      expect(outcome.kind).toBe(kind)
    })
  }
}

/** Scopes whose names are in the message when they are not granted. */
export const named = (...scopes: readonly string[]): SignInFacts['scopes'] =>
  Object.fromEntries(scopes.map((scope) => [scope, scope]))
