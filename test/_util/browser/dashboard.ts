import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { BrowserContext, Page } from 'playwright-core'
import type { Role } from '#contract'
import { copyOfBegunData } from '../database/begun-data.ts'
import { type FileServer, startFileServer } from '../networks/file-server.ts'
import { type RunningAlmanac, type Settings, startAlmanac, withAnyRate } from '../processes/app.ts'
import type { PageOptions, TestBrowser } from './browser.ts'
import { type Body, call, type Seeds, seeds } from './dashboard-seed.ts'
import { openRequests } from './open-requests.ts'

export interface Credentials {
  email: string
  password: string
}

/** Almanac as `npm start` runs it on an empty folder, with its demo account on the simulators. */
export interface Dashboard {
  /** Of the server, without a slash at the end. */
  url: string
  /** The process that runs now. */
  almanac: RunningAlmanac
  owner: Credentials
  dataDir: string
  /** Of the demo account; may do everything. */
  key: string
  /** The demo's social set, in Europe/Berlin. */
  socialSetId: string
  seed: Seeds
  /**
   * Opens a path such as `/dashboard/settings/keys` in a page of a new context and waits until its heading is there.
   *
   * @param options.signedIn as the owner when true, else as whose credentials they are
   * @param options.failing requests to such addresses are answered with 503
   */
  open(path: string, options?: PageOptions & { signedIn?: boolean | Credentials; failing?: RegExp }): Promise<Page>
  /** Goes to the sign-in page and signs in as a person does; as the owner, unless a test says otherwise. */
  signIn(page: Page, credentials?: Credentials): Promise<void>
  /** Fills in the form of the page that is open, and waits until that page is left. */
  fillSignIn(page: Page, credentials?: Credentials): Promise<void>
  /** Signs a context in without a page. */
  signInByRequest(context: BrowserContext, credentials?: Credentials): Promise<void>
  /** Asks a route below /internal/ as the owner. Throws on an answer that is an error. */
  member(method: string, path: string, body?: unknown): Promise<Body>
  /** A member who accepted an invitation of the owner; sees every social set unless a test says otherwise. Without an `email`, no mail reaches them. */
  newMember(options: {
    role: Role
    name?: string
    socialSetIds?: string[] | null
    email?: string
  }): Promise<Credentials>
  /** Ends the server at once, as a power cut does. */
  kill(): Promise<void>
  /** Starts it again after `kill`. Of a dashboard whose `ALMANAC_PORT` is set, the address stays. */
  startAgain(): Promise<void>
  stop(): Promise<void>
}

/** What is used of the browser of a file of tests. */
export type DashboardBrowser = Pick<TestBrowser, 'newContext' | 'allowProblem'>

/** Starts a server with a data folder of its own; `settings` come on top. Call it in beforeAll, and `stop` in afterAll. */
export async function startDashboard(browser: DashboardBrowser, settings: Settings = {}): Promise<Dashboard> {
  const server = await startServer({ ALMANAC_PORT: '0', ...settings })
  try {
    const { url } = server.almanac
    const { key, ownerEmail, ownerPassword } = await server.almanac.firstSignIn()
    const { data } = await call(`${url}/v1/social-sets`, 'GET', { authorization: `Bearer ${key}` })
    const owner = { email: ownerEmail, password: ownerPassword }
    return dashboardOf(browser, server, { key, owner, socialSetId: data[0].id })
  } catch (error) {
    await server.stop()
    throw error
  }
}

/** Almanac as `npm start` runs it, with the pages as they are built from the sources of now. */
export interface DashboardServer {
  /** The process that runs now. */
  almanac: RunningAlmanac
  settings: Settings
  dataDir: string
  /** It may fetch from there. */
  files: FileServer
  /** Starts it again after its process ended. */
  start(): Promise<RunningAlmanac>
  stop(): Promise<void>
}

/** Starts one with a data folder of its own, which has the demo account; `more` settings come on top. */
export async function startServer(more: Settings): Promise<DashboardServer> {
  await buildDashboard()
  const data = await copyOfBegunData()
  const files = await startFileServer()
  const settings: Settings = {
    ALMANAC_DATA_DIR: data.path,
    ALMANAC_TRUSTED_FETCH_HOSTS: files.host,
    // Receivers of tests.
    ALMANAC_TRUSTED_WEBHOOK_HOSTS: '127.0.0.1',
    TZ: 'Europe/Berlin',
    ...(await withAnyRate(data.path)),
    ...more,
  }
  let almanac: RunningAlmanac | undefined
  const start = async () => {
    almanac = await startAlmanac({ settings })
    return almanac
  }
  const stop = async () => {
    await almanac?.stop()
    await files.close()
    await data.remove()
  }
  try {
    return { almanac: await start(), settings, dataDir: data.path, files, start, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** An account of a server, as tests use it. */
export function dashboardOf(
  browser: DashboardBrowser,
  server: DashboardServer,
  { owner, key, socialSetId }: Pick<Dashboard, 'owner' | 'key' | 'socialSetId'>,
): Dashboard {
  const { almanac, dataDir, files, start, stop } = server
  const { url } = almanac
  let cookie: string | undefined
  let members = 0
  /** A page learns that no one is signed in by asking who is. */
  const allowAsking = () => browser.allowProblem(/^GET \S+\/internal\/session: 401$/)

  const dashboard: Dashboard = {
    url,
    almanac,
    owner,
    dataDir,
    key,
    socialSetId,
    seed: seeds({ url, key, socialSetId, files }),
    async open(path, { signedIn = false, failing, ...options } = {}) {
      allowAsking()
      const context = await browser.newContext(options)
      if (signedIn) await dashboard.signInByRequest(context, signedIn === true ? owner : signedIn)
      if (failing) await context.route(failing, (route) => route.fulfill(OUT_OF_ORDER))
      const page = await context.newPage()
      await page.goto(`${url}${path}`)
      await heading(page)
      return page
    },
    async signIn(page, credentials) {
      allowAsking()
      await page.goto(`${url}/dashboard/sign-in`)
      await dashboard.fillSignIn(page, credentials)
    },
    async fillSignIn(page, { email, password } = owner) {
      await page.getByLabel('Email').fill(email)
      await page.getByLabel('Password', { exact: true }).fill(password)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.waitForURL((address) => !address.pathname.endsWith('/sign-in'))
      await heading(page)
    },
    async signInByRequest(context, credentials = owner) {
      const answer = await context.request.post(`${url}/internal/session`, {
        data: credentials,
        headers: { origin: url },
      })
      if (!answer.ok()) throw new Error(`The sign-in answered ${answer.status()}: ${await answer.text()}`)
    },
    async member(method, path, body) {
      cookie ??= await signedInCookie(url, owner)
      return call(`${url}${path}`, method, { cookie, origin: url }, body)
    },
    async newMember({
      role,
      name = `The ${role}`,
      socialSetIds = null,
      email = `${role}-${++members}@${owner.email.split('@')[1]}`,
    }) {
      const credentials = { email, password: 'a long password of a member' }
      const invitation = { email: credentials.email, role, socialSetIds }
      const { link } = await dashboard.member('POST', '/internal/invitations', invitation)
      const acceptance = { token: link.split('#token=')[1], name, password: credentials.password }
      await call(`${url}/internal/invitations/accept`, 'POST', { origin: url }, acceptance)
      return credentials
    },
    async kill() {
      dashboard.almanac.signal('SIGKILL')
      await dashboard.almanac.ended
    },
    async startAgain() {
      dashboard.almanac = await start()
    },
    stop,
  }
  return dashboard
}

/** What is answered to addresses that fail. */
export const OUT_OF_ORDER = {
  status: 503,
  contentType: 'application/problem+json',
  body: JSON.stringify({
    type: 'about:blank',
    title: 'Out of order',
    status: 503,
    detail: 'The database does not answer. Try again in a minute.',
    code: 'internal:error',
    message: 'The database does not answer. Try again in a minute.',
    requestId: '019f0000-0000-7000-8000-000000000000',
    errors: [],
  }),
}

/** Builds the pages. Does nothing when what is built is of the sources as they are. */
export async function buildDashboard(): Promise<void> {
  const script = join(import.meta.dirname, '../../../scripts/build-dashboard.mjs')
  await promisify(execFile)(process.execPath, [script])
}

/** Every page of the dashboard has one heading of the first level; with it, the page is there. */
export function heading(page: Page): Promise<void> {
  return page.getByRole('heading', { level: 1 }).waitFor()
}

/**
 * Until the page is at rest: it reads and sends nothing, has drawn what came, has no request under way, and nothing says that it
 * is loading. It asks the page and never waits for a silence; what begins by a timer later is not waited for.
 */
export async function settled(page: Page): Promise<void> {
  for (const deadline = Date.now() + 20_000; ; ) {
    await page.waitForLoadState('load')
    // A page that is left meanwhile has no answer.
    const drawn = await page.evaluate<boolean>(DRAWN_AT_REST).catch(() => false)
    if (drawn && openRequests(page) === 0) return
    if (Date.now() > deadline) throw new Error(`${page.url()} does not come to rest: ${openRequests(page)} requests.`)
  }
}

/**
 * What came is drawn in two frames, and what that draws asks for begins before the browser has nothing to do. Pages of others
 * do not say whether they read.
 */
const DRAWN_AT_REST = `(async () => {
  const atRest = () => (globalThis.almanacAtRest?.() ?? true) && !document.body.innerText.includes('Loading…')
  const next = (begin) => new Promise((resolve) => begin(resolve, { timeout: 500 }))
  for (let times = 0; times < 2; times++) {
    if (!atRest()) return next(requestAnimationFrame).then(() => false)
    await next(requestAnimationFrame)
    await next(requestIdleCallback)
  }
  return atRest()
})()`

async function signedInCookie(url: string, credentials: Credentials): Promise<string> {
  const answer = await fetch(`${url}/internal/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify(credentials),
  })
  return answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ')
}

/** Chooses from the menu of a line in a list, by the name of what the line is about. */
export async function chooseAction(page: Page, name: string, action: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${name}`, exact: true }).click()
  await page.getByRole('menuitem', { name: action }).click()
}
