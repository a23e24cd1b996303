import { mkdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import type { Browser, BrowserContext, ConsoleMessage, Page, Response } from 'playwright-core'
import { afterEach } from 'vitest'
import { KEPT_DIR } from '../run/run-folder.ts'
import { endsWithWorker, takeGone, untilWorkersEnd } from '../run/worker-end.ts'
import { launchBrowser } from './browser-program.ts'
import { watchRequests } from './open-requests.ts'

export const WIDE = { width: 1440, height: 900 }
export const NARROW = { width: 390, height: 844 }

export interface PageOptions {
  viewport?: { width: number; height: number }
  colorScheme?: 'light' | 'dark'
  reducedMotion?: 'reduce' | 'no-preference'
  /** An IANA zone. UTC, unless a test says otherwise. */
  timezoneId?: string
  locale?: string
  hasTouch?: boolean
  isMobile?: boolean
}

export interface TestBrowser {
  /** A context of its own: cookies and storage that no one else has. Closed after the test. */
  newContext(options?: PageOptions): Promise<BrowserContext>
  /** The first page of a context of its own. */
  newPage(options?: PageOptions): Promise<Page>
  /**
   * Until the end of the test, a problem that matches is none. A problem reads `page error: …`, `console error: …`,
   * `GET https://…/x: 404` or `GET https://…/x: net::ERR_…`.
   */
  allowProblem(pattern: RegExp): void
  /** What went wrong in the pages of this test so far and was not allowed. */
  problems(): string[]
}

/** One for all files of tests of this process; another one when it is gone. */
let running: Promise<Browser> | undefined

async function browserOfWorker(): Promise<Browser> {
  const before = await running?.catch(() => null)
  if (before?.isConnected()) return before
  running = launchBrowser()
  const browser = await running
  untilWorkersEnd(() => browser.close())
  return browser
}

/**
 * The browser, for a file of tests. After each test its pages are closed, and it fails when one of them threw, logged an
 * error (a breach of the content security policy is logged as one) or had a request that failed. Of a failed test, a
 * screenshot and the page's HTML are kept in a folder that is named on standard error.
 */
export function testBrowser(): TestBrowser {
  let contexts: BrowserContext[] = []
  let seen: string[] = []
  let allowed: RegExp[] = []
  const problems = () => seen.filter((problem) => !allowed.some((pattern) => pattern.test(problem)))

  endsWithWorker()
  afterEach(async ({ task }) => {
    const found = [...takeGone(), ...problems()]
    const pages = contexts.flatMap((context) => context.pages())
    if (task.result?.state === 'fail' || found.length > 0) await keep(pages, `${task.file.name} ${task.name}`)
    await Promise.all(contexts.map((context) => context.close()))
    contexts = []
    seen = []
    allowed = []
    if (found.length > 0) throw new Error(`The pages of this test had problems: ${found.join('\n')}`)
  })

  const it: TestBrowser = {
    async newContext(options = {}) {
      const browser = await browserOfWorker()
      const context = await browser.newContext({
        viewport: WIDE,
        colorScheme: 'light',
        timezoneId: 'UTC',
        locale: 'en-GB',
        ...options,
      })
      context.setDefaultTimeout(20_000)
      watchRequests(context)
      watch(context, (problem) => seen.push(problem))
      contexts.push(context)
      return context
    },
    newPage: async (options) => (await it.newContext(options)).newPage(),
    allowProblem: (pattern) => void allowed.push(pattern),
    problems,
  }
  return it
}

function watch(context: BrowserContext, report: (problem: string) => void): void {
  context.on('weberror', (error) => report(`page error: ${error.error().stack ?? error.error().message}`))
  context.on('console', (message) => {
    if (isError(message)) report(`console error: ${message.text()}`)
  })
  context.on('requestfailed', (request) => {
    const why = request.failure()?.errorText
    // A page that is left, or that changed its mind, ends its own requests.
    if (why !== 'net::ERR_ABORTED') report(`${request.method()} ${request.url()}: ${why}`)
  })
  context.on('response', (response) => {
    if (response.status() >= 400 && !isWaitedOut(response))
      report(`${response.request().method()} ${response.url()}: ${response.status()}`)
  })
}

/** Pages that are loaded one right after the other can be over the rate of a person. They wait a second, and ask again. */
const isWaitedOut = (response: Response) => response.status() === 429 && response.headers()['retry-after'] === '1'

/** Requests that fail are logged too, without their method; they are distinguished. */
function isError(message: ConsoleMessage): boolean {
  return message.type() === 'error' && !message.text().startsWith('Failed to load resource:')
}

/** One folder per test: the next failure takes the place of the last. */
async function keep(pages: readonly Page[], testName: string): Promise<void> {
  const folder = join(
    process.env[KEPT_DIR] ?? tmpdir(),
    `almanac-failed-pages-${process.getuid?.() ?? 0}`,
    fileName(testName),
  )
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  for (const [index, page] of pages.entries()) {
    const path = join(folder, `${index + 1}-${fileName(basename(new URL(page.url()).pathname) || 'page')}`)
    // A page that hangs has neither; the test's own failure matters more.
    await page.screenshot({ path: `${path}.png`, timeout: 5_000 }).catch(() => {})
    await writeFile(`${path}.html`, await page.content().catch((error) => `<!-- ${error} -->`))
  }
  console.error(`What the pages of "${testName}" looked like: ${folder}`)
}

const fileName = (text: string) =>
  text
    .replace(/[^a-z0-9]+/gi, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 100)
