import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type MailServer, type ReceivedMail, startMailServer } from '../../_util/api/mail-server.ts'
import { NARROW, testBrowser } from '../../_util/browser/browser.ts'
import { type Dashboard, startDashboard } from '../../_util/browser/dashboard.ts'
import type { Body } from '../../_util/browser/dashboard-seed.ts'
import { giveName, shareBrand } from '../../_util/browser/dashboard-shared.ts'

/** From the mail that asks a client to the mail that says what the client decided. Each waits a minute to take others along. */

const browser = testBrowser()
let mail: MailServer
let dashboard: Dashboard
beforeAll(async () => {
  mail = await startMailServer()
  dashboard = await startDashboard(browser, {
    ALMANAC_SMTP_URL: mail.url,
    ALMANAC_MAIL_FROM: 'Almanac <almanac@example.com>',
  })
}, 180_000)
afterAll(async () => {
  await dashboard?.stop()
  await mail?.close()
})

const CLIENT = 'clara@example.com'
const EDITOR = 'erik@example.com'
/** Where the tests read mails. */
const MAILBOX = 'https://mailbox.example/'
const MOST_CLICKS = 3

test('a client decides from a mail in three clicks at most, and the inbox and a mail of the team say so', async () => {
  const editor = await dashboard.newMember({ role: 'editor', name: 'Erik', email: EDITOR })
  await askForNews((await shareBrand(dashboard)).path)

  const team = await dashboard.open('/dashboard/approvals?tab=requested', { signedIn: editor })
  const yes = await askTheClient(team, 'Stollen is back', '2030-06-12')
  const asked = await mailTo(CLIENT, 'waits for your approval')
  const client = await openMail(asked)
  await client.page.getByRole('link', { name: 'Look at the post' }).click()
  await client.page.getByRole('article', { name: 'Bluesky' }).getByText('Stollen is back').waitFor()
  await client.page.getByRole('button', { name: 'Approve', exact: true }).click()
  await client.page.getByText('You approved this.').waitFor()
  expect(client.clicks()).toBeGreaterThan(0)
  expect(client.clicks()).toBeLessThanOrEqual(MOST_CLICKS)
  // No account: the browser has the cookies of that link alone.
  const cookies = await client.page.context().cookies()
  expect(cookies.map(({ path }) => path.startsWith('/shared/view/'))).not.toContain(false)
  expect(await dashboard.seed.call('GET', `/v1/post-sets/${yes}`)).toMatchObject({ approval: 'APPROVED' })

  // What waits besides is in the calendar around it: there changes are requested in its row.
  const no = await askTheClient(team, 'Opening hours', '2030-06-13')
  await client.page.getByRole('button', { name: 'Calendar', exact: true }).click()
  await client.page.getByRole('button', { name: /^To do/ }).click()
  await client.page.reload()
  const waits = client.page.getByRole('listitem').filter({ hasText: 'Opening hours' })
  await waits.getByRole('button', { name: 'Request changes' }).click()
  await waits.getByLabel('What should change?').fill('Please use the picture with both shops.')
  await waits.getByRole('button', { name: 'Send request' }).click()
  await client.page.getByText('Changes requested. The team sees your words.').waitFor()
  expect(await dashboard.seed.call('GET', `/v1/post-sets/${no}`)).toMatchObject({ approval: 'DENIED', status: 'DRAFT' })

  await team.getByRole('button', { name: 'Decided' }).click()
  const row = team.getByRole('region', { name: 'Posts', exact: true }).getByRole('listitem')
  await row
    .filter({ hasText: 'Stollen is back' })
    .getByText(/^Approved by Clara/)
    .waitFor()
  await row
    .filter({ hasText: 'Opening hours' })
    .getByText(/^Changes requested by Clara/)
    .waitFor()
  // One mail says both, and first what there is to do.
  const { subject, text, html } = await mailTo(EDITOR, 'changes requested to a post')
  expect(subject).toContain(', and more')
  for (const part of [text, html]) {
    for (const said of ['Clara', 'Stollen is back', 'Opening hours', 'Please use the picture with both shops.'])
      expect(part).toContain(said)
  }
}, 240_000)

/** Who asks for news gives a name and confirms an address, once. */
async function askForNews(path: string): Promise<void> {
  const page = await dashboard.open(path)
  await page.getByRole('button', { name: 'Get news by mail' }).click()
  await giveName(page)
  const dialog = page.getByRole('dialog', { name: 'News by mail' })
  await dialog.getByLabel('Email address').fill(CLIENT)
  await dialog.getByRole('button', { name: 'Send the link' }).click()
  const { text } = await mail.next(CLIENT)
  await page.goto(/https?:\S+\/shared\/confirm\/\S+/.exec(text)?.[0] ?? '')
  await page.getByRole('button', { name: 'Confirm' }).click()
  await page.getByRole('heading', { name: 'Your address is confirmed' }).waitFor()
  await page.context().close()
}

/** As the member who is signed in on the page does it in the composer. */
async function askTheClient(page: Page, caption: string, day: string): Promise<string> {
  const send = async (method: string, path: string, data: unknown): Promise<Body> => {
    const headers = { origin: dashboard.url }
    const answer = await page.context().request.fetch(`${dashboard.url}/internal${path}`, { method, headers, data })
    if (!answer.ok()) throw new Error(`${method} ${path} answered ${answer.status()}: ${await answer.text()}`)
    return answer.json()
  }
  const { id } = await send('POST', '/post-sets', {
    socialSetId: dashboard.socialSetId,
    scheduledAt: `${day}T10:00:00Z`,
    status: 'DRAFT',
    approval: 'NONE',
    posts: [{ accountType: 'BLUESKY', caption, media: [] }],
  })
  await send('PATCH', `/post-sets/${id}`, { approval: 'EXTERNAL_PENDING' })
  return id
}

async function mailTo(to: string, subject: string): Promise<ReceivedMail> {
  const wanted = () => mail.mails.find((one) => one.to.includes(to) && one.subject.includes(subject))
  return vi.waitUntil(wanted, { timeout: 90_000, interval: 100 }).catch(() => {
    const came = mail.mails.map((one) => `${one.to}: ${one.subject}`)
    throw new Error(`No mail "${subject}" came to ${to}. What came:\n${came.join('\n')}`)
  })
}

/** A mail on a phone that was never here. */
async function openMail({ html }: ReceivedMail): Promise<{ page: Page; clicks(): number }> {
  const context = await browser.newContext({ viewport: NARROW, hasTouch: true })
  let clicks = 0
  await context.exposeFunction('countClick', () => void clicks++)
  await context.addInitScript(`addEventListener('click', ({ isTrusted }) => isTrusted && countClick(), true)`)
  await context.route(MAILBOX, (route) => route.fulfill({ contentType: 'text/html; charset=utf-8', body: html }))
  const page = await context.newPage()
  await page.goto(MAILBOX)
  return { page, clicks: () => clicks }
}
