import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { AccountType } from '#contract'
import { copyOfBegunData } from '../_util/database/begun-data.ts'
import { type RunningAlmanac, runAlmanac, type Settings, startAlmanac } from '../_util/processes/app.ts'
import { freePort } from '../_util/processes/ports.ts'

/** The operator's `networks check`, against the sandbox of a running installation. */

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

interface Step {
  name: string
  result: string
  detail: string | null
  calls: { asked: string; status: number | null; shape: Record<string, string> }[]
  missingKeys: string[]
  unknownKeys: string[]
}
interface Report {
  network: string
  accountType: string
  sandbox: boolean
  steps: Step[]
}

let dataDir: { path: string; remove(): Promise<void> }
let almanac: RunningAlmanac
let settings: Settings
let account: { accountId: string; socialSetId: string; key: string }
let connections: { id: string; accountType: AccountType; network: string; name: string; username: string | null }[]

const run = (...args: string[]) => runAlmanac(args, { settings })
async function json<T>(...args: string[]): Promise<T> {
  const { stdout, stderr } = await run(...args, '--json')
  if (stdout === '') throw new Error(stderr)
  return JSON.parse(stdout) as T
}

beforeAll(async () => {
  dataDir = await copyOfBegunData()
  settings = { ALMANAC_DATA_DIR: dataDir.path, ALMANAC_PORT: await freePort(), ALMANAC_DEMO_WEEK: 'off' }
  almanac = await startAlmanac({ settings })
  const { key } = await almanac.firstSignIn()
  const [demo] = await json<{ id: string; socialSets: { id: string }[] }[]>('accounts', 'list')
  account = { accountId: demo?.id ?? '', socialSetId: demo?.socialSets[0]?.id ?? '', key }
  connections = await json('connections', 'list', '--account', account.accountId)
})
afterAll(async () => {
  await almanac.stop()
  await dataDir.remove()
})

const TYPES: readonly AccountType[] = [
  'BLUESKY',
  'FACEBOOK',
  'GMB',
  'INSTAGRAM',
  'LINKEDIN_PAGE',
  'LINKEDIN_PERSONAL',
  'PINTEREST',
  'THREADS',
  'TIKTOK',
  'TWITTER',
  'YOUTUBE',
]
/** Of the token of a sandbox Page, which hangs on no person, nothing is known there. */
const UNKNOWN_IN_SANDBOX: Partial<Record<AccountType, string[]>> = { FACEBOOK: ['token'], INSTAGRAM: ['token'] }

const ofType = (accountType: AccountType) => {
  const found = connections.find((each) => each.accountType === accountType)
  if (!found) throw new Error(`The demo account has no ${accountType}.`)
  return found
}

test.each(TYPES)(
  '%s: reads and a renewal, in a report that names no one and publishes nothing',
  async (accountType) => {
    const { id, network, name, username } = ofType(accountType)
    const { stdout, stderr } = await run('networks', 'check', network, '--connection', id, '--json')
    expect(stderr).toBe('')
    const report = JSON.parse(stdout) as Report
    expect(report).toMatchObject({ network, accountType, sandbox: true })
    const differing = report.steps.filter(({ result }) => result === 'differs')
    expect(differing.filter(({ name }) => !UNKNOWN_IN_SANDBOX[accountType]?.includes(name))).toEqual([])
    // Something was asked and read, and the simulator has the keys that are documented.
    const reads = report.steps.filter(({ calls, result }) => calls.length > 0 && result === 'works as documented')
    expect(reads.length).toBeGreaterThan(1)
    expect(reads.flatMap(({ missingKeys }) => missingKeys)).toEqual([])
    for (const step of ['upload', 'publish', 'lookup', 'delete']) {
      expect(report.steps.find((each) => each.name === step)).toMatchObject({ result: 'not tried', calls: [] })
    }
    const posts = await (await fetch(`${almanac.url}/sandbox/${network}/posts`)).json()
    expect(posts).toEqual([])
    for (const hidden of [name, username ?? name, id]) expect(stdout).not.toContain(hidden)
  },
)

test('a renewal that replaces its token is stored: the next one works, and so does the connection', async () => {
  const { id } = ofType('TWITTER')
  for (let turn = 0; turn < 2; turn++) {
    const { steps } = await json<Report>('networks', 'check', 'x', '--connection', id)
    const refresh = steps.find(({ name }) => name === 'refresh')
    expect(refresh).toMatchObject({ result: 'works as documented', detail: expect.stringContaining('was replaced') })
    expect(refresh?.calls[0]?.shape).toMatchObject({ scope: expect.stringContaining('tweet.write') })
  }
  const after = await json<typeof connections & { status: string }[]>(
    'connections',
    'list',
    '--account',
    account.accountId,
  )
  expect(after.find((each) => each.id === id)).toMatchObject({ status: 'CONNECTED' })
})

test('--publish publishes a post and deletes it, and the text says what was asked and came', async () => {
  const { code, stdout, stderr } = await run('networks', 'check', 'bluesky', '--publish')
  expect(code).toBe(0)
  expect(stdout).toMatch(/^bluesky \(BLUESKY, in the sandbox\)\n/)
  expect(stdout).toMatch(
    /works as documented {2}publish: .*\n {4}POST pds\/xrpc\/com\.atproto\.repo\.putRecord → 200\n/,
  )
  expect(stdout).toMatch(/works as documented {2}lookup: /)
  expect(stdout).toMatch(/works as documented {2}delete: /)
  expect(stdout).toMatch(/\d+ works as documented, 0 differs, \d+ not tried\./)
  // Where the post is stays out of what is sent in.
  expect(stderr).toMatch(/^almanac: Publishing "A test of .*\nalmanac: The test post is at http/)
  expect(stdout).not.toContain('/post/')
  const posts = (await (await fetch(`${almanac.url}/sandbox/bluesky/posts`)).json()) as { id: string; text: string }[]
  expect(posts).toMatchObject([{ text: expect.stringMatching(/^A test of/) }])
  const [, , repo = '', collection = '', rkey = ''] = posts[0]?.id.split('/') ?? []
  const query = new URLSearchParams({ repo, collection, rkey })
  const record = await fetch(`${almanac.url}/sandbox/bluesky/pds/xrpc/com.atproto.repo.getRecord?${query}`)
  expect(await record.json()).toMatchObject({ error: 'RecordNotFound' })
})

test('at a terminal a person is asked, and everything but yes is a no', async () => {
  const terminal = `--import=data:text/javascript,${encodeURIComponent('process.stdin.isTTY = true')}`
  const ask = (network: string, input: string) =>
    runAlmanac(['networks', 'check', network], { settings: { ...settings, NODE_OPTIONS: terminal }, input })
  const declined = await ask('threads', '\n')
  expect(declined.stderr).toMatch(/Publish a test post as .+ on Threads\? Others may see it\. .* \[y\/N\] /)
  expect(declined.stdout).toMatch(/not tried {12}upload, publish, lookup, delete\n {4}Publishing was declined\./)
  expect(await (await fetch(`${almanac.url}/sandbox/threads/posts`)).json()).toEqual([])
  const allowed = await ask('bluesky', 'y\n')
  expect(allowed.stdout).toMatch(/works as documented {2}publish: /)
})

test('with --media a file is uploaded, and published only when that is allowed as well', async () => {
  const headers = { authorization: `Bearer ${account.key}`, 'content-type': 'application/json' }
  const begun = await fetch(`${almanac.url}/v1/media-upload`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ socialSetId: account.socialSetId, url: `${almanac.url}/sandbox/samples/photo.jpg` }),
  })
  expect(begun.status).toBeLessThan(300)
  const { id } = (await begun.json()) as { id: string }
  const item = await vi.waitFor(
    async () => {
      const upload = (await (await fetch(`${almanac.url}/v1/media-upload/${id}`, { headers })).json()) as {
        mediaLibraryId?: string
      }
      expect(upload.mediaLibraryId).toEqual(expect.any(String))
      return upload.mediaLibraryId ?? ''
    },
    { timeout: 30_000 },
  )
  const { steps } = await json<Report>('networks', 'check', 'instagram', '--media', item)
  const results = Object.fromEntries(steps.map(({ name, result }) => [name, result]))
  expect(results).toMatchObject({ upload: 'works as documented', publish: 'not tried' })
  expect(await (await fetch(`${almanac.url}/sandbox/instagram/posts`)).json()).toEqual([])
})

test('what cannot be checked is said in a sentence', async () => {
  const says = async (words: RegExp, ...args: string[]) => {
    const { code, stderr } = await run('networks', 'check', ...args)
    expect([code, stderr]).toEqual([expect.any(Number), expect.stringMatching(words)])
    expect(code).toBeGreaterThan(0)
  }
  await says(/There is no network friendster\. Available: bluesky, facebook/, 'friendster')
  await says(/There are several connections to LinkedIn.*--connection:\n.*LINKEDIN_PERSONAL/s, 'linkedin')
  await says(/There is no open connection nonsense to X/, 'x', '--connection', 'nonsense')
  await says(/There is no open connection \S+ to X/, 'x', '--connection', ofType('BLUESKY').id)
  await says(/There is no media item nonsense/, 'bluesky', '--media', 'nonsense')
  await says(/This is written: almanac networks check NETWORK/)
})
