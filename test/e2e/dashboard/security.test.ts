import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testBrowser } from '../../_util/browser/browser.ts'
import { type Dashboard, heading, startDashboard } from '../../_util/browser/dashboard.ts'
import { type FileServer, startFileServer } from '../../_util/networks/file-server.ts'

/** What other sites try on somebody who is signed in here, in a real browser. */

const browser = testBrowser()
let dashboard: Dashboard
let attacker: FileServer

beforeAll(async () => {
  attacker = await startFileServer()
  dashboard = await startDashboard(browser)
}, 120_000)

afterAll(async () => {
  await dashboard?.stop()
  await attacker?.close()
})

/** Another port is another origin of the same site, to which cookies go along; another name is another site. */
const ATTACKERS = [
  ['another origin of the same site', '127.0.0.1'],
  ['another site', 'localhost'],
] as const

/** Opens a page of the attacker in a browser in which the owner is signed in. */
async function openAttack(host: string, html: string): Promise<Page> {
  attacker.on('/favicon.ico', (_, response) => void response.writeHead(204).end())
  const address = attacker.on('/attack', (_, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(`<title>Win a prize</title>${html}`)
  })
  // What is refused is reported in the log of the attacker's page.
  browser.allowProblem(/./)
  const context = await browser.newContext()
  await dashboard.signInByRequest(context)
  const page = await context.newPage()
  await page.goto(address.replace('127.0.0.1', host))
  return page
}

describe('headers', () => {
  test('every page has the strict policy, with a nonce of its own', async () => {
    const nonces = new Set<string>()
    for (const path of ['/dashboard', '/dashboard/sign-in', '/dashboard/scheduling/calendar/month', '/dashboard/x/y']) {
      const { headers } = await fetch(`${dashboard.url}${path}`)
      const policy = headers.get('content-security-policy') ?? ''
      const nonce = /'nonce-([\w+/=]{22,})'/.exec(policy)?.[1] ?? ''
      nonces.add(nonce)
      expect(policy.replace(nonce, 'NONCE').split('; ')).toEqual([
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self' 'nonce-NONCE'",
        `img-src 'self' data: blob: ${dashboard.url}`,
        `media-src 'self' blob: ${dashboard.url}`,
        "font-src 'self'",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
      ])
      expect(Object.fromEntries(headers)).toMatchObject({
        'x-frame-options': 'DENY',
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'same-origin',
        'cache-control': 'no-store',
      })
    }
    expect(nonces.size).toBe(4)
  })

  test('a script that gets into the page does not run', async () => {
    const page = await dashboard.open('/dashboard/sign-in')
    browser.allowProblem(/content security policy/i)
    await page.evaluate(`{
      const script = document.createElement('script')
      script.textContent = 'window.ranInline = true'
      document.body.append(script)
      const image = document.createElement('button')
      image.setAttribute('onclick', 'window.ranHandler = true')
      document.body.append(image)
      image.click()
    }`)
    expect(await page.evaluate('[window.ranInline, window.ranHandler]')).toEqual([undefined, undefined])
  })
})

describe.each(ATTACKERS)('%s', (_, host) => {
  test('cannot frame the dashboard', async () => {
    const page = await openAttack(host, `<iframe src="${dashboard.url}/dashboard/sign-in"></iframe>`)
    const [, frame] = page.frames()
    await expect.poll(() => frame?.url()).toBe('chrome-error://chromewebdata/')
    expect(await frame?.content()).not.toContain('Almanac')
  })

  test('cannot send a form in the name of a member', async () => {
    // A form sends `name=value`: the text of the note has the equals sign.
    const [name, value] = JSON.stringify(forgedNote('By a form=')).split('=')
    const page = await openAttack(
      host,
      `<form method="post" enctype="text/plain" action="${dashboard.url}/internal/notes">
        <input name='${name}' value='${value}'>
      </form>`,
    )
    const answer = page.waitForResponse((response) => response.url().endsWith('/internal/notes'))
    await page.evaluate('document.forms[0].submit()')
    expect((await answer).status()).toBe(403)
    expect(await notes()).not.toContain('By a form=')
  })

  test.each([
    ['without asking', { mode: 'no-cors', headers: { 'content-type': 'text/plain' } }],
    ['asking first', { mode: 'cors', headers: { 'content-type': 'application/json' } }],
  ])('cannot send a request in the name of a member, %s', async (how, options) => {
    const content = `By a request ${how}`
    const page = await openAttack(host, '')
    const refusals: number[] = []
    page.on('response', (response) => refusals.push(response.status()))
    const seen = await page.evaluate<string>(`fetch(${JSON.stringify(`${dashboard.url}/internal/notes`)}, {
      method: 'POST',
      credentials: 'include',
      body: ${JSON.stringify(JSON.stringify(forgedNote(content)))},
      ...${JSON.stringify(options)},
    }).then((response) => response.type + ' ' + response.status, (error) => error.name)`)
    expect(['opaque 0', 'TypeError']).toContain(seen)
    if (options.mode === 'no-cors') expect(refusals).toEqual([403])
    expect(await notes()).not.toContain(content)
  })

  test('cannot read what a member may read', async () => {
    const page = await openAttack(host, '')
    const seen = await page.evaluate<string>(`fetch(${JSON.stringify(`${dashboard.url}/internal/session`)}, {
      credentials: 'include',
    }).then((response) => response.text(), (error) => error.name)`)
    expect(seen).toBe('TypeError')
  })

  test('cannot sign somebody in or out', async () => {
    const page = await openAttack(host, '')
    const before = await page.context().cookies(dashboard.url)
    await page.evaluate(`Promise.allSettled([
      fetch(${JSON.stringify(`${dashboard.url}/internal/session`)}, {
        method: 'POST',
        mode: 'no-cors',
        credentials: 'include',
        body: ${JSON.stringify(JSON.stringify(dashboard.owner))},
      }),
      fetch(${JSON.stringify(`${dashboard.url}/internal/session`)}, { method: 'DELETE', credentials: 'include' }),
    ])`)
    expect(await page.context().cookies(dashboard.url)).toEqual(before)
    expect((await page.context().request.get(`${dashboard.url}/internal/session`)).status()).toBe(200)
  })
})

test('the same request from our own page is answered', async () => {
  const page = await dashboard.open('/dashboard/scheduling/calendar/month', { signedIn: true })
  const status = await page.evaluate(`fetch('/internal/notes', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: ${JSON.stringify(JSON.stringify(forgedNote('By ourselves')))},
  }).then((response) => response.status)`)
  expect(status).toBe(201)
  expect(await notes()).toContain('By ourselves')
})

describe('sessions', () => {
  test('a session that somebody planted before the sign-in is not the one after it', async () => {
    const planter = await browser.newContext()
    await dashboard.signInByRequest(planter)
    const alive = await planter.cookies(dashboard.url)
    const invented = alive.map((cookie) => ({ ...cookie, value: `planted${cookie.value.slice(7)}` }))
    expect(alive.length).toBeGreaterThan(0)
    for (const planted of [alive, invented]) {
      const victim = await browser.newContext()
      await victim.addCookies(planted)
      await dashboard.signInByRequest(victim)
      const after = await victim.cookies(dashboard.url)
      expect(after.map(({ name }) => name)).toEqual(planted.map(({ name }) => name))
      for (const { value } of after) expect(planted.map((cookie) => cookie.value)).not.toContain(value)
    }
    const thief = await browser.newContext()
    await thief.addCookies(invented)
    expect((await thief.request.get(`${dashboard.url}/internal/session`)).status()).toBe(401)
  })

  test('the cookie is out of reach of scripts and of other sites, and worth nothing after the sign-out', async () => {
    const context = await browser.newContext()
    const page = await context.newPage()
    await dashboard.signIn(page)
    const cookies = await context.cookies()
    const hidden = expect.objectContaining({ httpOnly: true, sameSite: 'Lax', path: '/' })
    expect(cookies).toEqual([hidden, hidden])
    expect(await page.evaluate('document.cookie')).toBe('')

    const signedOut = await context.request.delete(`${dashboard.url}/internal/session`, {
      headers: { origin: dashboard.url },
    })
    expect(signedOut.status()).toBe(204)
    expect((await context.cookies()).map(({ name }) => name)).toEqual(['almanac.known_browser'])
    await context.addCookies(cookies)
    expect((await context.request.get(`${dashboard.url}/internal/session`)).status()).toBe(401)
    browser.allowProblem(/^GET \S+\/internal\/\S+: 401$/)
    await page.reload()
    await heading(page)
    expect(page.url()).toContain('/dashboard/sign-in')
  })
})

function forgedNote(content: string) {
  return {
    socialSetId: dashboard.socialSetId,
    content,
    hexColor: '#faf785',
    scheduledAt: '2030-06-12T00:00:00Z',
  }
}

/** What the notes of June 2030 say. */
async function notes(): Promise<string[]> {
  const days = 'filters[startDate]=2030-06-01T00:00:00Z&filters[endDate]=2030-07-01T00:00:00Z'
  const found = await dashboard.seed.call('GET', `/v1/notes?socialSetId=${dashboard.socialSetId}&${days}`)
  return found.map(({ content }: { content: string }) => content)
}
