import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '#config'
import { createGuardedFetch } from '#media'
import { type Http, type Network, networksOf, OPERATOR_SERVICE } from '#networks'
import { settingsOf } from './installation.ts'
import { createOutbound, timeOf } from './outbound.ts'
import { gateOf } from './start-gate.ts'

/** Private addresses, as servers of this machine have: reached when the operator named them, and only then. */

const servers: Server[] = []
const origins: string[] = []

beforeAll(async () => {
  for (let count = 0; count < 4; count++) {
    const server = createServer((_, response) => response.end('{"reached":true}'))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    servers.push(server)
    origins.push(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  }
})
afterAll(async () => {
  for (const server of servers) await new Promise((resolve) => server.close(resolve))
})

const network = {
  manifest: {
    name: 'two-words',
    title: 'Two Words',
    accountTypes: [],
    endpoints: { api: { default: 'https://api.example', setting: 'API_URL' } },
    settings: {
      appId: { description: 'Id of the app.', default: '7' },
      VERSION: { description: 'Version.', sandbox: 'demo' },
    },
  },
} as Partial<Record<keyof Network, unknown>> as unknown as Network

function outbound(environment: Record<string, string> = {}) {
  const config = readConfig(environment, { projectDir: '/', networkSettings: settingsOf(network.manifest) })
  const guarded = createGuardedFetch({ trustedHosts: [] })
  const made = createOutbound({
    settingsOf: (name) => config.networks[name] ?? {},
    networks: networksOf([network]),
    sandboxUrl: `${origins[0]}/sandbox`,
    sandboxKeys: [Buffer.alloc(32)],
    guarded,
    gate: gateOf(null),
  })
  const close = async () => {
    await made.close()
    await guarded.close()
  }
  return { ...made, close }
}
const identity = (endpoints: Record<string, string> = {}, sandbox = false) => ({ sandbox, endpoints })

async function reaches(http: Http, url = '') {
  const answer = await http({ method: 'GET', url: `${url}/x`, signal: AbortSignal.timeout(5_000) })
  return answer.kind === 'answer'
}

test('the addresses of settings are reached for every identity, the sandbox for its own, others are not', async () => {
  const { httpFor, endpoint, close } = outbound({ ALMANAC_TWO_WORDS_API_URL: `${origins[1]}/` })
  expect(endpoint('two-words', 'api', identity())).toBe(origins[1])
  expect(endpoint('two-words', 'api', identity({}, true))).toBe(`${origins[0]}/sandbox/two-words/api`)
  const reachable = (sandbox: boolean) =>
    Promise.all(origins.map((origin) => reaches(httpFor(identity({}, sandbox)), origin)))
  expect(await reachable(true)).toEqual([true, true, false, false])
  expect(await reachable(false)).toEqual([false, true, false, false])
  await close()
})

test('a server that the operator named for an identity is reached for that identity and no other', async () => {
  const { httpFor, endpoint, close } = outbound()
  const [, , named = '', other = ''] = origins
  const ours = identity({ api: named, [OPERATOR_SERVICE]: named })
  // Its own answers named it, as those of anybody's account can.
  const theirs = identity({ api: named })
  expect(endpoint('two-words', 'api', ours)).toBe(named)
  expect(await reaches(httpFor(ours), named)).toBe(true)
  expect(await reaches(httpFor(ours), other)).toBe(false)
  expect(endpoint('two-words', 'api', theirs)).toBe(named)
  expect(await reaches(httpFor(theirs), named)).toBe(false)
  await close()
})

test('a sign-in reaches the server that the operator named for it, and no other sign-in does', async () => {
  const { connectContext, setting, close } = outbound({ ALMANAC_TWO_WORDS_VERSION: 'v2' })
  const [, , named = ''] = origins
  const context = connectContext(network, { service: named, sandbox: false })
  expect(context.endpoint('api')).toBe('https://api.example')
  expect(context.setting('appId')).toBe('7')
  expect(setting('two-words', 'VERSION', { sandbox: false })).toBe('v2')
  expect(setting('two-words', 'VERSION', { sandbox: true })).toBe('demo')
  expect(await reaches(context.http, named)).toBe(true)
  // What a member names in the dashboard is not named by the operator.
  const byMember = connectContext(network, { service: null, sandbox: false })
  expect(await reaches(byMember.http, named)).toBe(false)
  await close()
})

test('settings of networks are named in capitals with underscores', () => {
  expect(settingsOf(network.manifest).map(({ variable }) => variable)).toEqual([
    'ALMANAC_TWO_WORDS_API_URL',
    'ALMANAC_TWO_WORDS_APP_ID',
    'ALMANAC_TWO_WORDS_VERSION',
  ])
})

test('settings of networks that are lists bring the names that they may hold', () => {
  const settings = { WITHOUT: { description: 'What is left out.', listOf: ['one', 'two'] } }
  const [, declared] = settingsOf({ ...network.manifest, settings })
  expect(declared).toMatchObject({ variable: 'ALMANAC_TWO_WORDS_WITHOUT', listOf: ['one', 'two'] })
})

test.each<[name: string, url: string, headers: Record<string, string>, time: string | null]>([
  ['a network', 'https://api.example/x', { date: 'Sun, 29 Nov 2026 04:00:00 GMT' }, '2026-11-29T04:00:00.000Z'],
  ['one without TLS', 'http://api.example/x', { date: 'Sun, 29 Nov 2026 04:00:00 GMT' }, null],
  ['a server of the operator', 'https://own.example/x', { date: 'Sun, 29 Nov 2026 04:00:00 GMT' }, null],
  ['a cache', 'https://api.example/x', { date: 'Sun, 29 Nov 2026 04:00:00 GMT', age: '7' }, null],
  ['a network that says nothing', 'https://api.example/x', {}, null],
  ['a network that says nonsense', 'https://api.example/x', { date: 'soon' }, null],
])('the time by %s', (_, url, headers, time) => {
  expect(timeOf(url, headers, new Set(['https://own.example']))?.toISOString() ?? null).toBe(time)
})
