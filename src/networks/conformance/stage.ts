import { Agent } from 'undici'
import type { AccountType } from '#contract'
import type { ConnectContext, Network, NetworkIdentity } from '../network.ts'
import { createHttp, type Http, type HttpRequest } from '../toolkit/http.ts'
import { createClock, type openDelivery, type World } from './delivery.ts'
import { openSampleMedia } from './media.ts'
import { simulatorBackend } from './simulator-backend.ts'

/** A pretend network with one account, and everything that is sent to it: for tests of a single network. */
export interface Stage {
  world: World
  /** Requests of the connector in order. */
  sent: HttpRequest[]
  http: Http
  /** For `connect`: endpoints and settings of the sandbox. */
  context(): ConnectContext
  close(): Promise<void>
}

export async function openStage(network: Network, accountType: AccountType): Promise<Stage> {
  const agent = new Agent()
  const clock = createClock()
  const [backend, media] = await Promise.all([simulatorBackend(network, accountType, clock), openSampleMedia()])
  const plain = createHttp({ trustedOrigins: new Set(), plain: agent, guarded: agent })
  const sent: HttpRequest[] = []
  const http: Http = (request) => {
    sent.push(request)
    return plain(request)
  }
  return {
    world: { network, backend, media, http, clock },
    sent,
    http,
    context: () => ({
      endpoint: (name) => backend.endpoints[name] ?? '',
      setting: (name) => backend.settings?.[name] ?? '',
      http,
      signal: AbortSignal.timeout(20_000),
      now: clock.now,
    }),
    async close() {
      await backend.stop()
      await media.close()
      await agent.destroy()
    },
  }
}

/** Signs in on the pages of a simulator, allows everything, and gives the accounts. */
export async function signIn(stage: Stage, accountType: AccountType): Promise<readonly NetworkIdentity[]> {
  const { manifest, connect } = stage.world.network
  if (!connect.oauth) throw new Error('The network has no sign-in.')
  const redirectUri = `https://almanac.example/connect/${manifest.name}/callback`
  const ask = { accountType, state: 'state-1', redirectUri, codeChallenge: null }
  const address = new URL(connect.oauth.authorizeUrl(stage.context(), ask))
  address.searchParams.set('decision', 'allow')
  const answer = await fetch(address, { redirect: 'manual' })
  const code = new URL(answer.headers.get('location') ?? '').searchParams.get('code') ?? ''
  const grant = { accountType, code, redirectUri, codeVerifier: null }
  const outcome = await connect.oauth.complete(stage.context(), grant)
  if (outcome.kind === 'failed') throw new Error(outcome.message)
  return outcome.accounts
}

/** The same network with an account of a sign-in in place of the one that it began with. */
export function worldOf(stage: Stage, { externalId, username, credentials }: NetworkIdentity): World {
  const { world } = stage
  const account = { ...world.backend.account, externalId, username }
  return { ...world, http: stage.http, backend: { ...world.backend, account, credentials } }
}

/** Calls prepare until the post is ready, jumping over pauses. */
export async function prepared(world: World, delivery: Awaited<ReturnType<typeof openDelivery>>): Promise<void> {
  for (let turn = 0; turn < 100; turn++) {
    const outcome = await delivery.call('prepare')
    if (outcome.kind === 'ready') return
    if (outcome.kind === 'waiting') world.clock.jumpTo(outcome.askAgainAt)
    else if (outcome.kind !== 'retry') throw new Error(`prepare: ${JSON.stringify(outcome)}`)
  }
  throw new Error('The post does not become ready.')
}
