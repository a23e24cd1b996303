import { afterAll, beforeAll, expect, test } from 'vitest'
import { testBrowser } from '../../_util/browser/browser.ts'
import {
  expectControlsApart,
  expectNoAxeViolations,
  expectNoSidewaysScroll,
  expectOneHeadingAndTitle,
} from '../../_util/browser/dashboard-checks.ts'
import { keyboardTask } from '../../_util/browser/dashboard-keys.ts'
import { observeVitals, vitals } from '../../_util/browser/dashboard-speed.ts'
import { type FileServer, startFileServer } from '../../_util/networks/file-server.ts'

/** The checks that screens are held against find what they are for, under the policy that the dashboard has. */

const browser = testBrowser()
let files: FileServer

beforeAll(async () => {
  files = await startFileServer()
  files.on('/favicon.ico', (_, response) => void response.writeHead(204).end())
})

afterAll(() => files?.close())

async function open(body: string, prepare = async (_: Awaited<ReturnType<typeof browser.newPage>>) => {}) {
  const address = files.on('/page', (_, response) => {
    response
      .writeHead(200, {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': "default-src 'none'; script-src 'self'; frame-ancestors 'none'",
      })
      .end(`<!doctype html><html lang="en"><head><title>Things · Almanac</title></head><body>${body}</body></html>`)
  })
  const page = await browser.newPage({ viewport: { width: 400, height: 600 } })
  await prepare(page)
  await page.goto(address)
  return page
}

const GOOD = '<main><h1>Things</h1><button>Do it</button></main>'

test('a good page passes all of them', async () => {
  const page = await open(GOOD)
  await expectNoAxeViolations(page)
  await expectNoSidewaysScroll(page)
  await expectOneHeadingAndTitle(page)
})

test('axe finds what has no name, and says where it is', async () => {
  const page = await open('<main><h1>Things</h1><button id="nameless"></button></main>')
  await expect(expectNoAxeViolations(page)).rejects.toThrow(/button-name at #nameless/)
})

test('what is wider than the window is found, and named', async () => {
  const page = await open(`<main><h1>Things</h1><pre>A wide one ${'x'.repeat(200)}</pre></main>`)
  await expect(expectNoSidewaysScroll(page)).rejects.toThrow(/A wide one/)
})

test('controls that lie over each other or leave the window are found', async () => {
  const over = '<main><h1>Things</h1><button>One</button><button id="two">Two</button></main>'
  const page = await open(over)
  await expectControlsApart(page)
  await page.evaluate(`document.querySelector('#two').style.marginLeft = '-30px'`)
  await expect(expectControlsApart(page)).rejects.toThrow(/over each other: <button>One[\s\S]*Two/)
  await page.evaluate(`document.querySelector('#two').style.marginLeft = '380px'`)
  await page.evaluate(`document.querySelector('main').style.whiteSpace = 'nowrap'`)
  await expect(expectControlsApart(page)).rejects.toThrow(/outside: <button id="two"/)
})

test.each([
  ['two headings', '<main><h1>Things</h1><h1>More</h1></main>', /2/],
  ['no heading', '<main><h2>Things</h2></main>', /first level/],
  ['no main part', '<h1>Things</h1>', /main landmarks/],
])('%s are found', async (_, body, expected) => {
  await expect(expectOneHeadingAndTitle(await open(body))).rejects.toThrow(expected)
})

test('a task by keys is counted, and a pointer in it is noticed', async () => {
  const page = await open(GOOD.replace('</main>', '<button>Then that</button></main>'))
  const keys = await keyboardTask(page)
  await keys.pressUntil('Tab', page.getByRole('button', { name: 'Then that' }))
  expect(keys.presses()).toBe(2)
  keys.finish()
  expect(() => keys.finish(1)).toThrow('2 key presses')
  await expect(keys.pressUntil('Tab', page.getByRole('heading'), 3)).rejects.toThrow(/did not reach[\s\S]*Do it/)
  await page.getByRole('button', { name: 'Do it' }).click()
  expect(() => keys.finish()).toThrow(/pointer was used on:\n<button>Do it/)
})

test('what jumps about and what is slow is measured', async () => {
  const page = await open(GOOD, observeVitals)
  await page.evaluate(`document.querySelector('button').onclick = () => {
    const end = performance.now() + 200
    while (performance.now() < end) {}
  }`)
  await page.getByRole('button').click()
  await expect.poll(async () => (await vitals(page)).inputs.at(-1)).toBeGreaterThanOrEqual(150)
  await page.evaluate(`setTimeout(() => document.body.prepend(Object.assign(document.createElement('p'), {
    textContent: 'It comes late. '.repeat(100),
  })), 600)`)
  await expect.poll(async () => (await vitals(page)).cls).toBeGreaterThan(0.05)
  expect((await vitals(page)).lcp).toBeGreaterThan(0)
})
