import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { createGuardedFetch } from '#media'
import { type Attempt, type Network, networksOf, OPERATOR_SERVICE, type PublishOutcome } from '#networks'
import { createOutbound } from '../../src/app/outbound.ts'
import { gateOf } from '../../src/app/start-gate.ts'
import { createEngine, type Engine } from '../_util/engine/engine.ts'
import { published, scriptedNetwork } from '../_util/engine/scripted-network.ts'

/** A server of the house that the operator named for the account of one tenant, and the posts of another tenant. */

const closing = new AsyncDisposableStack()
afterEach(() => closing.disposeAsync())

async function startPrivateServer(): Promise<{ origin: string; asked: string[] }> {
  const asked: string[] = []
  const server: Server = createServer((request, response) => {
    asked.push(request.headers.authorization ?? '')
    response.end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.defer(() => new Promise((resolve) => server.close(() => resolve())))
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked }
}

async function send(attempt: Attempt): Promise<PublishOutcome> {
  const authorization = String(attempt.account.externalId)
  const answer = await attempt.http({
    method: 'POST',
    url: `${attempt.endpoint('api')}/posts`,
    headers: { authorization },
    signal: attempt.signal,
  })
  if (answer.kind === 'answer') return published
  return { kind: 'refused', reason: 'UNKNOWN', message: answer.message }
}

/** A tenant whose network account keeps these addresses. */
async function newTenant(
  network: Network,
  outbound: ReturnType<typeof createOutbound>,
  identity: { externalId: string; endpoints: Record<string, string> },
): Promise<Engine> {
  const engine = await createEngine({ networks: [network], outbound })
  closing.defer(() => engine.close())
  const { externalId, endpoints } = identity
  await engine.db
    .updateTable('network_identities')
    .set({ external_id: externalId, endpoints: JSON.stringify(endpoints) })
    .execute()
  return engine
}

test('a private server is reached with the posts of the account that the operator named it for, and of no other', async () => {
  const { origin, asked } = await startPrivateServer()
  const script = scriptedNetwork({ publish: [send] })
  const endpoints = { api: { default: 'https://api.example', setting: 'API_URL', description: '' } }
  const network = { ...script, manifest: { ...script.manifest, endpoints } }
  const guarded = createGuardedFetch({ trustedHosts: [] })
  closing.defer(() => guarded.close())
  const outbound = createOutbound({
    settingsOf: () => ({}),
    networks: networksOf([network]),
    sandboxUrl: 'http://127.0.0.1:9/sandbox',
    sandboxKeys: [Buffer.alloc(32)],
    guarded,
    gate: gateOf(null),
  })
  closing.defer(() => outbound.close())

  const named = { api: origin, [OPERATOR_SERVICE]: origin }
  const ours = await newTenant(network, outbound, { externalId: 'ours', endpoints: named })
  const first = await ours.schedule()
  await ours.drain()
  expect((await ours.set(first)).results[0]).toMatchObject({ status: 'POSTED' })

  // The document of an account says where its server is, and anybody can write one.
  const theirs = await newTenant(network, outbound, { externalId: 'theirs', endpoints: { api: origin } })
  const second = await theirs.schedule()
  await theirs.drain()
  expect((await theirs.set(second)).results[0]).toMatchObject({ status: 'FAILED' })
  expect(asked).toEqual(['ours'])
})
