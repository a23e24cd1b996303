import { beforeEach, describe, expect, test } from 'vitest'
import type { Trouble } from '../conformance/delivery.ts'
import { stageFor } from '../conformance/stages.ts'
import { network as facebook } from '../facebook/index.ts'
import { sendAnswer } from '../kit/faults.ts'
import type { HttpResult } from '../kit/http.ts'
import type { SimulatorDeps } from '../kit/simulation.ts'
import { answer, lost, openStage } from '../kit/testing.ts'
import type { Network, NetworkIdentity, OAuth } from '../network.ts'
import { completeGraphLogin, dialogAddress, type GraphLogin, type GraphPage } from './login.ts'
import { type SandboxPage, type SimulatedLogin, simulatedLogin } from './simulator-login.ts'

/** Of which Pages a sign-in makes accounts, and with which words. Dialog, codes and their ends are conformance's. */

const page = (n: number, more: Partial<SandboxPage> = {}): SandboxPage => ({
  id: `10000000000000${n}`,
  name: `Page ${n}`,
  tasks: ['CREATE_CONTENT'],
  through: 'me',
  ...more,
})
const PAGES = [
  page(1, { username: 'pageone' }),
  page(2, { tasks: ['ANALYZE'] }),
  page(3, { tasks: ['MANAGE'] }),
  page(4, { through: 'owned_pages', tasks: [] }),
  page(5, { through: 'owned_pages', token: false }),
  page(6, { through: 'client_pages' }),
]
const LOGIN: GraphLogin = {
  title: 'Demo',
  required: ['pages_show_list', 'pages_manage_posts'],
  optional: ['business_management'],
  fields: [],
  accountOf({ id, name, username, credentials }: GraphPage): NetworkIdentity | string {
    if (name === 'Page 6') return `${name} has nothing to connect`
    const rest = { profileUrl: null, avatarUrl: null, expiresAt: null }
    return { externalId: id, name, username, credentials, ...rest }
  },
  advice: 'Get a role on one.',
}

let deps: SimulatorDeps
let login: SimulatedLogin
/** The person has these Pages from now on. */
function having(pages: readonly SandboxPage[], requireProof = false): void {
  login = simulatedLogin(deps, { title: 'Demo', clientId: 'sandbox-client', pages, requireProof })
}
const { oauth } = facebook.connect
const complete: OAuth['complete'] = (context, grant) => completeGraphLogin(context, LOGIN, grant)
const network: Network = {
  ...facebook,
  connect: { refresh: null, ...(oauth ? { oauth: { ...oauth, complete } } : {}) },
  simulate(given) {
    deps = given
    return {
      ...facebook.simulate(given),
      async handle(request, response, path) {
        if (!(await login.handle(request, response, path))) sendAnswer(response, { status: 404, body: {} })
      },
    }
  },
}
const stage = stageFor('all', () => openStage(network, 'FACEBOOK', { base: 'graph/v25.0' }))
beforeEach(() => {
  stage.exchanged.length = 0
  having(PAGES)
})

const without = (scope: string) => (url: URL) => {
  const scopes = url.searchParams.get('scope')?.split(',') ?? []
  url.searchParams.set('scope', scopes.filter((each) => each !== scope).join(','))
}
const signIn = (trouble?: Trouble, left = '') => stage.signIn.run(stage.context(trouble), without(left))
async function accounts(trouble?: Trouble, left?: string) {
  const outcome = await signIn(trouble, left)
  if (outcome.kind !== 'accounts') throw new Error(outcome.message)
  return outcome.accounts
}
const namesOf = (all: readonly NetworkIdentity[]) => all.map(({ name }) => name)
/** Something else at the end of an address. */
const at = (end: string, instead: HttpResult): Trouble => ({
  intercept: async ({ request, send }) => (new URL(request.url).pathname.endsWith(end) ? instead : send()),
})

const NEEDED = 'pages_show_list,pages_manage_posts'
describe('the dialog', () => {
  test.each([
    ['a configuration in place of permissions', { CONFIG_ID: '4711' }, false, { config_id: '4711' }],
    ['permissions', {}, false, { scope: `${NEEDED},business_management` }],
    ['fewer optional ones', { WITHOUT_SCOPES: 'business_management' }, false, { scope: NEEDED }],
    ['all that are needed', { WITHOUT_SCOPES: NEEDED }, false, { scope: `${NEEDED},business_management` }],
    ['what was declined', { CONFIG_ID: '4711' }, true, { config_id: '4711', auth_type: 'rerequest' }],
  ])('is asked for %s', (_, settings, again, asked) => {
    const address = dialogAddress(stage.context({}, settings), LOGIN, { state: 's', redirectUri: 'https://a', again })
    const { client_id, redirect_uri, response_type, state, ...rest } = Object.fromEntries(new URL(address).searchParams)
    expect(rest).toEqual(asked)
  })
})

describe('a code', () => {
  test('becomes the Pages that have a token, also those of a business alone', async () => {
    const all = await accounts()
    expect(namesOf(all)).toEqual(['Page 1', 'Page 2', 'Page 3', 'Page 4'])
    expect(all.map(({ warning }) => warning !== undefined)).toEqual([false, true, false, false])
    expect(all[0]).toMatchObject({ externalId: PAGES[0]?.id, username: 'pageone' })
    // Listings of two entries a page: the third Page of the person's own came from the second one.
    const calls = stage.exchanged.map(({ call, query }) => `${call.slice(4)}${query.has('after') ? ' …' : ''}`)
    expect([...new Set(calls)]).toEqual([
      'oauth/access_token',
      'me/permissions',
      'me/permissions …',
      'me/accounts',
      'me/accounts …',
      'me/businesses',
      '{id}/owned_pages',
      '{id}/client_pages',
      // A token that stood in none of them.
      '{id}',
      'debug_token',
    ])
    expect(stage.calls('GET {id}')).toHaveLength(1)
  })

  test.each([
    [['CREATE_CONTENT'], true],
    [['MANAGE'], true],
    [['PROFILE_PLUS_CREATE_CONTENT', 'PROFILE_PLUS_ANALYZE'], true],
    [['PROFILE_PLUS_FULL_CONTROL'], true],
    [['PROFILE_PLUS_MANAGE'], true],
    [['ANALYZE', 'MODERATE', 'PROFILE_PLUS_ANALYZE'], false],
    [[], false],
  ])('gives a Page with the tasks %j, without a warning: %s', async (tasks, fine) => {
    having([page(1, { tasks })])
    expect((await accounts())[0].warning).toEqual(fine ? undefined : expect.stringContaining('Page 1'))
  })

  test('becomes Pages also at an app that requires the proof of its secret', async () => {
    having(PAGES, true)
    expect(await accounts()).toMatchObject([{ expiresAt: expect.any(Date) }, {}, {}, {}])
  })

  test('becomes a Page whose token no listing holds', async () => {
    having([page(1, { token: 'asked', tasks: ['ANALYZE'] }), page(2, { token: 'asked', through: 'owned_pages' })])
    const all = await accounts()
    expect(all).toMatchObject([{ name: 'Page 1', warning: expect.stringContaining('no task') }, { name: 'Page 2' }])
    expect(login.pageOf(all[0].credentials.accessToken ?? '')).toMatchObject({ name: 'Page 1' })
  })

  test('gives tokens of Pages that do not end', async () => {
    const [{ credentials, externalId }] = await accounts()
    stage.pass(100 * 24 * 3_600_000)
    expect(login.pageOf(credentials.accessToken ?? '')).toMatchObject({ id: externalId })
    expect(login.pageOf('EAASANDBOXother')).toBeNull()
  })
})

describe('without', () => {
  test('a permission that is needed, the words name it and the configuration, if there is one', async () => {
    const message = 'Demo was not granted: pages_manage_posts. Connect again and leave everything switched on.'
    expect(await signIn(undefined, 'pages_manage_posts')).toEqual({ kind: 'failed', message })
    const code = await stage.signIn.code(without('pages_manage_posts'))
    const context = stage.context({}, { CONFIG_ID: '4711' })
    const words = expect.stringContaining('configuration of the app')
    expect(await stage.signIn.complete(code, { context })).toMatchObject({ kind: 'failed', message: words })
  })

  test('the permission to see businesses their Pages are left out', async () => {
    expect(namesOf(await accounts(undefined, 'business_management'))).toEqual(['Page 1', 'Page 2', 'Page 3'])
    expect(stage.calls('GET me/businesses')).toEqual([])
  })

  test.each([
    [[5, 6], 'it gave no access to Page 5; Page 6 has nothing to connect'],
    [[], 'no Page was chosen in the dialog'],
  ])('any Page that can be published to, the words say why: of %j', async (numbers, why) => {
    having(PAGES.filter((_, index) => numbers.includes(index + 1)))
    const message = `Demo gave no account that could publish: ${why}. Get a role on one.`
    expect(await signIn()).toEqual({ kind: 'failed', message })
  })
})

describe('a passing fault', () => {
  // At the code and the listing of Pages it is conformance's.
  test('at the permissions is reported', async () => {
    const message = 'Demo did not say which permissions were granted. The connection broke.'
    expect(await signIn(at('me/permissions', lost))).toEqual({ kind: 'failed', message })
  })

  test.each([
    ['me/businesses', ['Page 1', 'Page 2', 'Page 3']],
    ['client_pages', ['Page 1', 'Page 2', 'Page 3', 'Page 4']],
  ])('at %s leaves the Pages that are known, and says that there may be more', async (path, names) => {
    const all = await accounts(at(path, lost))
    expect(namesOf(all)).toEqual(names)
    expect(all[0].warning).toMatch(/^Demo did not say .*The connection broke\. .*may be missing from the list/)
    expect(all[1]?.warning).toMatch(/no task .*may be missing from the list/)
  })

  test('at the businesses of a person without Pages of their own ends the sign-in', async () => {
    having(PAGES.filter(({ through }) => through !== 'me'))
    const message = 'Demo did not say which businesses there are. The connection broke.'
    expect(await signIn(at('me/businesses', lost))).toEqual({ kind: 'failed', message })
  })

  test('at the end of the consent leaves it unknown', async () => {
    for (const data of [{}, { data_access_expires_at: 0 }]) {
      expect(await accounts(at('debug_token', answer(200, { data })))).toMatchObject([{ expiresAt: null }, {}, {}, {}])
    }
  })

  test('a business that one may not look into is passed over', async () => {
    const refused = answer(403, { error: { message: '(#200) No.', code: 200 } })
    expect(namesOf(await accounts(at('owned_pages', refused)))).toEqual(['Page 1', 'Page 2', 'Page 3'])
  })
})

test('a Page that stands in two lists is judged by the first, which tells what one may do', async () => {
  for (const token of [{}, { token: 'asked' } as const]) {
    having([page(2, { ...token, tasks: ['ANALYZE'] }), page(2, { through: 'owned_pages' }), page(1)])
    expect(await accounts()).toMatchObject([{ name: 'Page 2', warning: expect.any(String) }, {}])
  }
})

test('the simulator refuses what the real one does, and ends what came from a token that ends', async () => {
  const { setting } = stage.context()
  const app = { client_id: setting('CLIENT_ID'), client_secret: setting('CLIENT_SECRET'), redirect_uri: deps.callback }
  const asked = new URLSearchParams({ ...app, code: await stage.signIn.code() })
  type Given = { access_token: string; data?: { access_token: string }[]; error?: { code: number } }
  const get = async (path: string, token = '') => (await stage.api<Given>(`GET ${path}`, undefined, { token })).json
  const { access_token: short } = await get(`oauth/access_token?${asked}`)
  expect((await get('1000000000000001/owned_pages?fields=id,tasks', short)).error?.code).toBe(100)
  const { data } = await get('me/accounts?fields=id,access_token', short)
  const pageToken = data?.[0]?.access_token ?? ''
  expect(login.pageOf(pageToken)).toMatchObject({ name: 'Page 1' })
  stage.pass(2 * 3_600_000)
  expect(login.pageOf(pageToken)).toBe('expired')
  expect((await get('me/accounts', short)).error?.code).toBe(190)
})
