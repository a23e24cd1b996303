import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AccountType } from '#contract'
import { createGuardedFetch } from '#media'
import { BOUNDS, openSandbox, type Sandbox, SandboxFullError } from '#sandbox'
import { resolveSetting } from '../endpoints.ts'
import { type SigningKeys, signedTokens } from '../kit/signed-tokens.ts'
import type { LedgerPost } from '../kit/simulation.ts'
import type { Network } from '../network.ts'
import { sandboxDefaults } from '../options.ts'
import { networksOf } from '../registry.ts'
import type { Backend, BackendContext } from './harness.ts'
import { listen } from './listen.ts'

/** Where the suite says that Almanac is. */
const PUBLIC_URL = 'https://almanac.example'
const KEYS: SigningKeys = [Buffer.alloc(32, 'suite')]

/** The simulator of a network in the sandbox, behind a real HTTP server on a free port, with its files in a folder. */
export async function simulatorBackend(
  network: Network,
  accountType: AccountType,
  { now, keys = KEYS }: BackendContext,
): Promise<Backend> {
  const folder = await mkdtemp(join(tmpdir(), 'almanac-conformance-'))
  const errors: unknown[] = []
  let sandbox: Sandbox | undefined
  // Media of the suite come from ports of this machine.
  const near = createGuardedFetch({ trustedHosts: ['127.0.0.1'] })
  const files = { guarded: near, own: near, ownPrefix: `${PUBLIC_URL}/media/` }
  const server = await listen((request, response) => void sandbox?.handle(request, response))
  const url = `${server.origin}/sandbox`
  const onError = (error: unknown) => {
    if (!(error instanceof SandboxFullError)) errors.push(error)
  }
  const networks = networksOf([network])
  const open = (bounds = BOUNDS) =>
    openSandbox({ networks, folder, url, publicUrl: PUBLIC_URL, keys, files, bounds, now, onError })
  sandbox = open()
  const { name, endpoints, settings } = network.manifest
  const inSandbox = { sandbox: true, sandboxKeys: keys, settings: {} }
  const listed = async () => (await (await fetch(`${url}/${name}/posts`)).json()) as LedgerPost[]
  const identity = sandbox.identityFor(network, { id: 'connection-1', accountType, name: 'Corner Bakery' })

  return {
    account: {
      externalId: identity.externalId,
      username: identity.username,
      defaults: { ...sandboxDefaults(network.manifest, accountType), ...identity.facts },
    },
    credentials: identity.credentials,
    endpoints: Object.fromEntries(Object.keys(endpoints).map((endpoint) => [endpoint, `${url}/${name}/${endpoint}`])),
    settings: Object.fromEntries(
      Object.keys(settings).map((setting) => [setting, resolveSetting(network.manifest, setting, inSandbox)]),
    ),
    simulator: { tokens: signedTokens(keys, name), folder: join(folder, name) },
    async posts(except = new Set()) {
      if (errors.length > 0) throw new AggregateError(errors, 'The simulator threw.')
      return Promise.all((await listed()).filter(({ id }) => !except.has(id)).map(readPost))
    },
    ids: async () => (await listed()).map(({ id }) => id),
    async restart({ full = false } = {}) {
      sandbox?.close()
      sandbox = open(full ? { ...BOUNDS, posts: 0 } : BOUNDS)
    },
    async stop() {
      await server.close()
      sandbox?.close()
      await near.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** What a person would see: the page that the permalink opens. */
async function readPost(post: LedgerPost) {
  const page = await (await fetch(post.permalink)).text()
  const comments = [...page.matchAll(/<p class="text">↳ (.*?)<\/p>/gs)].map(([, text = '']) => unescaped(text))
  const [, replyTo] = /<th>replyTo<\/th><td><code>([^<]*)<\/code>/.exec(page) ?? []
  const place = replyTo === undefined ? {} : { replyTo: unescaped(replyTo) }
  return { id: post.id, text: post.text, media: page.split('<figure>').length - 1, comments, ...place }
}

function unescaped(text: string): string {
  return text.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
}
