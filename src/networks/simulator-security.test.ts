import { createHash, createHmac, randomBytes } from 'node:crypto'
import { appendFile, stat } from 'node:fs/promises'
import { request as httpRequest } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Backend } from './conformance/harness.ts'
import { simulatorBackend } from './conformance/index.ts'
import { openStage, redirectUriOf, type Stage } from './kit/testing.ts'
import type { Network } from './network.ts'
import { loadNetworks } from './registry.ts'

/** What a stranger may try on every simulator: tokens made by hand, sign-ins that lead elsewhere, large bodies. */

/** The connection of the suite. */
const CONNECTION = { id: 'connection-1', name: 'Corner Bakery' }

interface Row {
  /** A call that wants a token, below the address of the simulator. */
  call(account: Backend['account']): { method?: string; path: string }
  /** Name of the access token among the credentials. Default `accessToken`. */
  token?: string
  /** Where bodies are sent to. */
  open: readonly string[]
  /** What earlier versions wrote down of a token that they gave, `OLD`. */
  kept?(account: Backend['account']): {
    line: [collection: string, id: string, value: object]
    token?: string
    path?: string
  }
}

/** A token that an earlier version gave to anyone who had the published secret of its app. */
const OLD = 'EAASANDBOXold'
const LATER = '2100-01-01T00:00:00.000Z'

const packed = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const jwt = (claims: object, key: string) => {
  const text = `${packed({ typ: 'at+jwt', alg: 'HS256' })}.${packed(claims)}`
  return `${text}.${createHmac('sha256', key).update(text).digest('base64url')}`
}
const graphToken = { kind: 'user', scopes: ['pages_show_list'], long: true, expiresAt: LATER }
const keptByGraph: Row['kept'] = () => ({
  line: ['login-tokens', createHash('sha256').update(OLD).digest('hex'), graphToken],
  path: '/graph/v25.0/me/permissions',
})
const claims = { scope: 'com.atproto.appPass', sub: 'did:plc:x', exp: 4_000_000_000, jti: '1' }

const ROWS: Readonly<Record<string, Row>> = {
  bluesky: {
    kept: ({ externalId }) => ({
      line: ['keys', 'tokens', { key: 'kept' }],
      token: jwt({ ...claims, sub: externalId }, 'kept'),
    }),
    open: [
      'POST /pds/xrpc/com.atproto.server.createSession',
      'POST /pds/xrpc/com.atproto.repo.uploadBlob',
      'POST /video/xrpc/app.bsky.video.uploadVideo?did=x&name=y',
    ],
    call: () => ({ path: '/pds/xrpc/com.atproto.server.getServiceAuth?aud=did:web:a&lxm=com.atproto.repo.uploadBlob' }),
    token: 'accessJwt',
  },
  facebook: {
    kept: keptByGraph,
    open: ['POST /graph/v25.0/1/photos', 'POST /rupload/video-upload/v25.0/1'],
    call: ({ externalId }) => ({ path: `/graph/v25.0/${externalId}/published_posts` }),
  },
  'google-business': {
    open: ['POST /token/token', 'POST /posts/v4/accounts/1/locations/1/localPosts'],
    call: () => ({ path: '/accounts/v1/accounts' }),
  },
  instagram: {
    kept: keptByGraph,
    open: ['POST /graph/v25.0/1/media', 'POST /loginGraph/v25.0/1/media', 'POST /loginApi/oauth/access_token'],
    call: ({ externalId }) => ({ path: `/graph/v25.0/${externalId}?fields=name` }),
  },
  linkedin: {
    kept: ({ externalId }) => {
      const scopes = ['openid', 'profile', 'w_member_social']
      const person = { id: externalId.split(':').at(-1), name: CONNECTION.name }
      return { line: ['access', OLD, { person, pages: [], scopes, ledger: {}, expiresAt: null, clientId: 'x' }] }
    },
    open: ['POST /web/oauth/v2/accessToken', 'PUT /web/dms-uploads/urn:li:image:x/0?sign=y', 'POST /api/rest/posts'],
    call: () => ({ path: '/api/v2/userinfo' }),
  },
  pinterest: {
    kept: () => {
      const account = { id: '1', username: 'bakery', name: 'Bakery', ledgerId: CONNECTION.id }
      return { line: ['access-tokens', OLD, { account, scope: 'user_accounts:read', expiresAt: LATER }] }
    },
    open: ['POST /api/v5/pins', 'POST /upload/'],
    call: () => ({ path: '/api/v5/user_account' }),
  },
  threads: {
    open: ['POST /graph/v1.0/me/threads', 'POST /graph/oauth/access_token'],
    call: () => ({ path: '/graph/v1.0/me?fields=id' }),
  },
  tiktok: {
    kept: ({ externalId }) => ({
      line: ['access-tokens', OLD, { openId: externalId, scope: 'video.publish', expiresAt: LATER }],
    }),
    open: ['PUT /upload/video/?upload_id=x&upload_token=y', 'POST /api/v2/post/publish/video/init/'],
    call: () => ({ method: 'POST', path: '/api/v2/post/publish/creator_info/query/' }),
  },
  x: {
    kept: () => {
      const account = { userId: '1', ledgerId: CONNECTION.id, username: 'bakery', name: 'Bakery', premium: false }
      return { line: ['access', OLD, { account, scope: 'users.read tweet.read', expiresAt: LATER }] }
    },
    open: ['POST /api/2/oauth2/token', 'POST /api/2/media/upload/1/append', 'POST /api/2/tweets'],
    call: () => ({ path: '/api/2/users/me' }),
  },
  youtube: {
    open: [
      'POST /token/token',
      'PUT /api/upload/youtube/v3/videos?upload_id=x',
      'POST /api/upload/youtube/v3/thumbnails/set',
    ],
    call: () => ({ path: '/api/youtube/v3/channels?part=id&mine=true' }),
  },
}

const networks = (await loadNetworks()).all

test('every simulator has its row', () => {
  expect(Object.keys(ROWS).sort()).toEqual(networks.map(({ manifest }) => manifest.name).sort())
})

describe.each(networks.map((network) => [network.manifest.name, network] as const))('%s', (name, network) => {
  const row = ROWS[name] as Row
  let stage: Stage
  let backend: Backend
  let url: string
  beforeAll(async () => {
    const [accountType] = network.manifest.accountTypes
    if (!accountType) throw new Error('A network without account types.')
    const type = accountType === 'LINKEDIN_PAGE' ? 'LINKEDIN_PERSONAL' : accountType
    stage = await openStage(network, type, { base: '' })
    backend = stage.world.backend
    url = (Object.values(backend.endpoints)[0] ?? '').split('/').slice(0, -1).join('/')
  })
  afterAll(() => stage.close())

  const ask = async (token: string, elsewhere?: string) => {
    const { method = 'GET', path } = row.call(backend.account)
    const answer = await fetch(url + (elsewhere ?? path), { method, headers: { authorization: `Bearer ${token}` } })
    return { ok: answer.ok, text: await answer.text() }
  }
  const genuine = () => backend.credentials[row.token ?? 'accessToken'] ?? ''

  test('takes the token that it gave', async () => {
    expect(await ask(genuine())).toMatchObject({ ok: true })
  })

  if (row.kept)
    test('refuses what an earlier version gave to anyone with the published secret', async () => {
      const { line, token = OLD, path } = row.kept?.(backend.account) ?? {}
      const journal = join(backend.simulator?.folder ?? '', 'journal.jsonl')
      await appendFile(journal, `${JSON.stringify({ put: line })}\n`)
      await backend.restart?.()
      expect(await ask(token, path)).toMatchObject({ ok: false })
    })

  test('refuses a token of which one letter was changed', async () => {
    const token = genuine()
    // The last letter of base64 may hold bits that are not read.
    for (let at = 0; at < token.length - 1; at += Math.max(1, Math.floor(token.length / 40))) {
      const other = token[at] === 'A' ? 'B' : 'A'
      const changed = token.slice(0, at) + other + token.slice(at + 1)
      expect({ changed, ...(await ask(changed)) }).toMatchObject({ ok: false })
    }
  })

  if (name === 'bluesky')
    test('opens no session for the app password that was published', async () => {
      const answer = await fetch(`${url}/pds/xrpc/com.atproto.server.createSession`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ identifier: backend.account.externalId, password: 'sand-box0-test-only' }),
      })
      expect(answer.status).toBe(401)
    })

  test('refuses tokens of another installation, also for the same connection', async () => {
    const foreign = { now: () => new Date(), keys: [randomBytes(32)] } as const
    const other = await simulatorBackend(network, network.manifest.accountTypes[0] ?? 'BLUESKY', foreign)
    try {
      for (const token of Object.values(other.credentials)) expect(await ask(token)).toMatchObject({ ok: false })
    } finally {
      await other.stop()
    }
  })

  test.each(row.open.map((each) => each.split(' ') as [string, string]))(
    'waits for no large body of a stranger at %s %s',
    async (method, path) => {
      // A part comes, and the rest never does: who wants all of it before looking who it is never answers.
      const sending = httpRequest(url + path, {
        method,
        headers: { 'content-type': 'multipart/form-data; boundary=x', 'content-length': 50_000_000 },
      })
      const status = await new Promise<number>((resolve, reject) => {
        sending.once('response', (answer) => resolve(answer.resume().statusCode ?? 0))
        sending.once('error', reject)
        sending.write(Buffer.alloc(300 * 1024, 'a'))
      })
      sending.destroy()
      expect(status).toBeGreaterThanOrEqual(400)
      expect(status).toBeLessThan(500)
    },
  )

  if (network.connect.oauth) describeSignIn(network, () => stage)
})

function describeSignIn(network: Network, running: () => Stage): void {
  const { name, accountTypes, settings } = network.manifest
  const own = redirectUriOf(network)
  const signIns = () => accountTypes.map((accountType) => running().signIn.as(accountType))
  const addresses = (redirectUri: string) =>
    signIns().map((signIn) => signIn.address((url) => url.searchParams.set('redirect_uri', redirectUri)).href)

  test('its sign-in leads back to the callback of the installation', async () => {
    for (const address of addresses(own)) {
      for (const decision of ['allow', 'deny']) {
        const answer = await fetch(`${address}&decision=${decision}`, { redirect: 'manual' })
        expect(answer.status).toBe(302)
        expect(answer.headers.get('location')).toMatch(new RegExp(`^${own.replaceAll('.', '\\.')}\\?`))
      }
    }
  })

  test.each([
    `https://evil.example/connect/${name}/callback`,
    `https://almanac.example.evil.example/connect/${name}/callback`,
    `https://almanac.example:444/connect/${name}/callback`,
    `http://almanac.example/connect/${name}/callback`,
    `https://almanac.example@evil.example/connect/${name}/callback`,
    `https://almanac.example/elsewhere/connect/${name}/callback`,
    'https://almanac.example/connect/another/callback',
    `//evil.example/connect/${name}/callback`,
    `javascript:alert(1)//connect/${name}/callback`,
    '',
  ])('its sign-in does not lead to %s', async (elsewhere) => {
    for (const address of addresses(elsewhere)) {
      // A scope that the app does not have is sent back before anyone is asked.
      const scoped = new URL(address)
      scoped.searchParams.set('scope', 'everything')
      for (const each of [address, `${address}&decision=allow`, `${address}&decision=deny`, scoped.href]) {
        const answer = await fetch(each, { redirect: 'manual' })
        expect(answer.status).toBe(400)
        expect(answer.headers.get('location')).toBeNull()
        expect(await answer.text()).toContain('redirect_uri')
      }
    }
  })

  test('a visit to its sign-in leaves nothing behind', async () => {
    const journal = join(running().world.backend.simulator?.folder ?? '', 'journal.jsonl')
    const before = (await stat(journal)).size
    for (const address of addresses(own)) {
      for (let visit = 0; visit < 5; visit++) await fetch(`${address}&decision=allow`, { redirect: 'manual' })
    }
    expect((await stat(journal)).size).toBe(before)
  })

  test('a code is worth nothing without the secret of the installation, nor is one that was made by hand', async () => {
    const published = Object.entries(settings).filter(([, { secret }]) => secret)
    const guessing = Object.fromEntries(published.map(([setting, { sandbox = '' }]) => [setting, sandbox]))
    for (const signIn of signIns()) {
      const code = await signIn.code()
      const [claims = ''] = code.split('.')
      expect((await signIn.complete(code, { context: running().context({}, guessing) })).kind).toBe('failed')
      const changed = `${code.slice(0, -2)}${code.endsWith('AA') ? 'BA' : 'AA'}`
      for (const made of [claims, `${claims}.`, `${claims}.${'A'.repeat(43)}`, changed]) {
        expect((await signIn.complete(made)).kind).toBe('failed')
      }
      expect((await signIn.complete(code)).kind).toBe('accounts')
      expect((await signIn.complete(code)).kind).toBe('failed')
    }
  })
}
