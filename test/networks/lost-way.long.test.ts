import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, expect, test } from 'vitest'

/**
 * A request arrives, and then the way to the network is gone: three network namespaces, client, router and network, as root
 * on Linux. The router answers what the client repeats with "host unreachable", and the client's system gives up early.
 */

const name = `alm${randomBytes(3).toString('hex')}`
const [client, router, network] = [`${name}c`, `${name}r`, `${name}n`]
const KIT = join(import.meta.dirname, '../../src/networks/kit/http.ts')

const possible = process.platform === 'linux' && process.getuid?.() === 0

/** Runs a program to its end. */
async function run(...args: string[]): Promise<void> {
  const child = spawn('ip', args, { stdio: ['ignore', 'ignore', 'pipe'] })
  let words = ''
  child.stderr.on('data', (part) => {
    words += part
  })
  const code = await new Promise((resolve) => child.once('close', resolve))
  if (code !== 0) throw new Error(`ip ${args.join(' ')}: ${words}`)
}
const inside = (namespace: string, ...args: string[]) => run('netns', 'exec', namespace, ...args)

const LINKS = [
  [client, router, '10.91.1'],
  [router, network, '10.91.2'],
] as const

beforeAll(async () => {
  if (!possible) return
  for (const namespace of [client, router, network]) await run('netns', 'add', namespace)
  for (const [left, right, prefix] of LINKS) {
    const ends = [`${left}-${right.at(-1)}`, `${right}-${left.at(-1)}`] as const
    await run('link', 'add', ends[0], 'netns', left, 'type', 'veth', 'peer', 'name', ends[1], 'netns', right)
    for (const [namespace, end, host] of [
      [left, ends[0], 1],
      [right, ends[1], 2],
    ] as const) {
      await run('-n', namespace, 'addr', 'add', `${prefix}.${host}/24`, 'dev', end)
      await run('-n', namespace, 'link', 'set', end, 'up')
    }
  }
  await run('-n', client, 'route', 'add', 'default', 'via', '10.91.1.2')
  await run('-n', network, 'route', 'add', 'default', 'via', '10.91.2.1')
  await inside(router, 'sysctl', '-qw', 'net.ipv4.ip_forward=1')
  await inside(client, 'sysctl', '-qw', 'net.ipv4.tcp_retries2=3')
})
afterAll(async () => {
  if (!possible) return
  for (const namespace of [client, router, network]) await run('netns', 'del', namespace).catch(() => {})
})

/** Runs a script in a namespace. Lines of its standard output come one by one. */
function script(namespace: string, text: string) {
  const child = spawn('ip', ['netns', 'exec', namespace, process.execPath, '--input-type=module', '-e', text], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  return { next: async () => (await lines.next()).value as string, end: () => child.kill('SIGKILL'), child }
}

// The network takes the request after the first one and, before it confirms anything, loses its way back.
const NETWORK = `
  import { createServer } from 'node:http'
  createServer((request, response) => {
    request.resume().on('end', () => {
      console.log(request.method)
      if (request.method === 'GET') response.end('{}')
    })
  }).listen(80, '10.91.2.2', () => console.log('ready'))`

const CLIENT = `
  import { Agent } from ${JSON.stringify(import.meta.resolve('undici'))}
  import { createHttp } from ${JSON.stringify(KIT)}
  const url = 'http://10.91.2.2'
  const agent = new Agent()
  const http = createHttp({ trustedOrigins: new Set([url]), plain: agent, guarded: agent })
  const signal = new AbortController().signal
  const ask = async (method) => console.log(JSON.stringify(await http({ method, url, signal })))
  await ask('GET')
  process.stdin.once('data', () => void ask('POST').then(() => process.exit()))`

test.runIf(possible)('a request that has arrived is never called unsent when the way is lost behind it', async () => {
  const server = script(network, NETWORK)
  const asking = script(client, CLIENT)
  try {
    expect(await server.next()).toBe('ready')
    expect(JSON.parse(await asking.next())).toMatchObject({ kind: 'answer' })
    expect(await server.next()).toBe('GET')
    await run('-n', network, 'route', 'del', 'default')
    asking.child.stdin.write('now')
    expect(await server.next()).toBe('POST')
    await run('-n', router, 'link', 'set', `${router}-n`, 'down')
    const result = JSON.parse(await asking.next())
    expect(result).toMatchObject({ kind: 'failed', sent: true })
    // It is the case that was meant.
    expect(result.message).toMatch(/EHOSTUNREACH|ENETUNREACH/)
  } finally {
    server.end()
    asking.end()
  }
})
