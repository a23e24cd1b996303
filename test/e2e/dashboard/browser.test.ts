import { afterAll, beforeAll, expect, test } from 'vitest'
import { testBrowser } from '../../_util/browser/browser.ts'
import { settled } from '../../_util/browser/dashboard.ts'
import { type FileServer, startFileServer } from '../../_util/networks/file-server.ts'

/** The browser of the tests notices what goes wrong in a page; else the tests of the dashboard could not fail. */

const browser = testBrowser()
let files: FileServer

beforeAll(async () => {
  files = await startFileServer()
})

afterAll(() => files?.close())

/** Opens a page whose only content is what a test gives, and reports the problems, which are then allowed. */
async function problemsOf(html: string, headers: Record<string, string> = {}): Promise<string[]> {
  const address = files.on('/page', (_, response) => {
    response.writeHead(200, { 'content-type': 'text/html', ...headers }).end(`<title>A page</title>${html}`)
  })
  files.on('/favicon.ico', (_, response) => void response.writeHead(204).end())
  const page = await browser.newPage()
  await page.goto(address)
  await settled(page)
  const found = browser.problems()
  browser.allowProblem(/./)
  return found
}

test('a page without a fault has no problems', async () => {
  expect(await problemsOf('<h1>Good</h1><script>console.warn("only a warning")</script>')).toEqual([])
})

test.each([
  ['an uncaught error', '<script>throw new Error("thrown")</script>', /^page error: Error: thrown/],
  ['an unhandled rejection', '<script>Promise.reject(new Error("rejected"))</script>', /^page error: Error: rejected/],
  ['a logged error', '<script>console.error("logged")</script>', /^console error: logged/],
  ['an answer that is an error', '<script>fetch("/missing", { method: "POST" })</script>', /^POST \S+\/missing: 404$/],
  ['a request that fails', '<img alt="" src="http://127.0.0.1:1/x.png">', /^GET \S+x\.png: net::ERR_/],
])('%s is a problem', async (_, html, expected) => {
  const found = await problemsOf(html)
  expect(found.filter((problem) => expected.test(problem))).toHaveLength(1)
})

test('a breach of the content security policy is a problem', async () => {
  const found = await problemsOf('<script>window.ran = true</script>', {
    'content-security-policy': "script-src 'self'",
  })
  expect(found).toEqual([expect.stringMatching(/^console error: .*content security policy/i)])
})

test('contexts share nothing, and have the zone, colors and size that a test asks for', async () => {
  const address = files.on('/page', (_, response) => void response.writeHead(200).end('<title>A page</title>'))
  files.on('/favicon.ico', (_, response) => void response.writeHead(204).end())
  const first = await browser.newPage({
    timezoneId: 'America/New_York',
    colorScheme: 'dark',
    viewport: { width: 390, height: 844 },
    reducedMotion: 'reduce',
    locale: 'de-DE',
  })
  const second = await browser.newPage()
  await first.goto(address)
  await second.goto(address)
  await first.evaluate('localStorage.setItem("here", "1"); document.cookie = "here=1"')
  expect(await second.evaluate('[localStorage.getItem("here"), document.cookie]')).toEqual([null, ''])
  expect(
    await first.evaluate(`[
      Intl.DateTimeFormat().resolvedOptions().timeZone,
      matchMedia('(prefers-color-scheme: dark)').matches,
      matchMedia('(prefers-reduced-motion: reduce)').matches,
      innerWidth,
      navigator.language,
    ]`),
  ).toEqual(['America/New_York', true, true, 390, 'de-DE'])
})
