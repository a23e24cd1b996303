import { createHash, randomBytes } from 'node:crypto'
import type { AccountType } from '#contract'
import { MINUTE_MS } from '#contract/durations'
import { newId } from '#domain'
import {
  type ConnectContext,
  type Manifest,
  type Network,
  type OAuth,
  type SignInWay,
  signInNamed,
  signInsOf,
} from '#networks'
import { insertAuthorization, lastAuthorizationFailed } from '#persistence'
import type { OperationDeps } from '../deps.ts'
import { Refusal, refusal, refuseUnknownSocialSet } from '../refusal.ts'
import type { AddConnectionDeps } from './add.ts'
import { chooseNetwork } from './choose-network.ts'

/** A person has this long to sign in and to allow what is asked for. */
const AUTHORIZATION_LASTS_MS = 10 * MINUTE_MS

export type AuthorizationDeps = AddConnectionDeps & Pick<OperationDeps, 'authorizations' | 'publicUrl'>

interface StartedAuthorization {
  authorizationId: string
  /** Where a person signs in and allows what is asked for. Anyone who has it can end the sign-in. */
  authorizeUrl: string
  /** The network sends the browser back there; the operator's app must have it among its redirect addresses. */
  redirectUri: string
  expiresAt: Date
}

/** What a sign-in keeps to itself until the browser comes back. */
export interface StartedSecret {
  codeVerifier: string | null
  /** The way to sign in; null and absent: the network's first one. */
  signIn?: string | null
}

/**
 * Begins to connect a network account through a sign-in on the network's own pages.
 *
 * @throws Refusal
 */
export async function startAuthorization(
  deps: AuthorizationDeps,
  input: {
    accountId: string
    socialSetId: string
    network: string
    accountType: AccountType | null
    sandbox: boolean
    /** Which way, where the network has several; null: the first one; absent: the first one that the operator has set up. */
    signIn?: string | null | undefined
    /** The member who begins it, in whose session alone it can end; null for the operator. */
    startedBy: { userId: string; sessionId: string } | null
  },
): Promise<StartedAuthorization> {
  const { network, accountType } = chooseNetwork(deps.networks, input)
  const { manifest } = network
  const context = deps.connectContext(network, { service: null, sandbox: input.sandbox })
  const { oauth, kept } = chooseSignIn(network, input.signIn, context)
  await refuseUnknownSocialSet(deps.db, input)
  const missing = missingSettings(oauth, context)
  if (missing.length > 0) {
    // Members need not know what an installation has and has not.
    throw input.startedBy
      ? refusal('why:network_not_set_up', { title: manifest.title })
      : new Refusal(noApp(deps.publicUrl, network, missing))
  }

  const id = newId()
  const state = randomBytes(32).toString('base64url')
  const codeVerifier = oauth.pkce ? randomBytes(32).toString('base64url') : null
  const redirectUri = `${deps.publicUrl}/connect/${manifest.name}/callback`
  const codeChallenge = codeVerifier === null ? null : createHash('sha256').update(codeVerifier).digest('base64url')
  const { socialSetId } = input
  const again = await lastAuthorizationFailed(deps.db, { socialSetId, network: manifest.name, accountType })
  const authorizeUrl = oauth.authorizeUrl(context, { accountType, state, redirectUri, codeChallenge, again })
  const secret: StartedSecret = { codeVerifier, signIn: kept }
  const { expiresAt } = await insertAuthorization(deps.db, {
    ...input,
    id,
    network: manifest.name,
    accountType,
    stateHash: hashState(state),
    redirectUri,
    ...deps.authorizations.seal(id, secret),
    lastsMs: AUTHORIZATION_LASTS_MS,
  })
  return { authorizationId: id, authorizeUrl, redirectUri, expiresAt }
}

/** @throws Refusal */
function chooseSignIn(
  network: Network,
  wanted: string | null | undefined,
  context: Pick<ConnectContext, 'setting'>,
): SignInWay {
  const { title } = network.manifest
  const ways = signInsOf(network)
  const ready = ways.find(({ oauth }) => missingSettings(oauth, context).length === 0)
  const way = (wanted === undefined && ready) || signInNamed(network, wanted ?? null)
  if (way) return way
  const names = ways.flatMap(({ name }) => name ?? [])
  if (!network.connect.oauth) {
    throw new Refusal(`${title} has no sign-in on its own pages: give --identifier and a password.`)
  }
  const there = names.length === 0 ? 'It has one way alone: leave it out.' : `Available: ${names.join(', ')}.`
  throw new Refusal(`${title} has no sign-in named ${wanted}. ${there}`)
}

/** The settings of the operator's app that a sign-in needs and that are not set. */
export function missingSettings({ requires }: OAuth, context: Pick<ConnectContext, 'setting'>): string[] {
  return requires.filter((name) => context.setting(name) === '')
}

/** The environment variable for a network's setting. */
export function variableOf({ manifest }: { manifest: Pick<Manifest, 'name'> }, setting: string): string {
  return `ALMANAC_${manifest.name.replaceAll('-', '_').toUpperCase()}_${setting}`
}

/** SHA-256 of a state. It contains 256 random bits, so a slow hash would add no protection. */
export function hashState(state: string): Buffer {
  return createHash('sha256').update(state).digest()
}

function noApp(publicUrl: string, network: Network, missing: readonly string[]): string {
  const { manifest } = network
  const names = missing.map((name) => variableOf(network, name))
  return `${manifest.title} needs an app of your own: enter it in the dashboard, under Settings, Network apps, or set ${names.join(' and ')}. ${publicUrl}/docs/networks/${manifest.name} tells how to get one.`
}
