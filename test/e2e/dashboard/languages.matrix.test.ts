import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { languageChoices } from '../../../web/src/planning/posts/languages.ts'
import { NARROW, testBrowser } from '../../_util/browser/browser.ts'
import { type Dashboard, settled } from '../../_util/browser/dashboard.ts'
import { box, calendarPath } from '../../_util/browser/dashboard-calendar.ts'
import { cutTexts, SETTINGS } from '../../_util/browser/dashboard-checks.ts'
import { joinDashboard } from '../../_util/browser/dashboard-of-worker.ts'
import { EMOJI_NAMES, untranslatedWords } from '../../_util/browser/untranslated.ts'

/** Every word on a screen comes from a catalog, and another language is there at once. */

const browser = testBrowser()
let dashboard: Dashboard

beforeAll(async () => {
  dashboard = await joinDashboard(browser)
  const label = await dashboard.member('POST', '/internal/labels', { name: 'Xyzzy', color: '#0b866d' })
  await fill(label.id)
}, 120_000)

afterAll(() => dashboard?.stop())

/** The language that shows which words come from no catalog: English in letters that look foreign. */
const PSEUDO = 'en-XA'

/** The brand that screens of posts are looked at with, and a post of it. */
let brand: string
let post: string
/** A brand without posts. */
let empty: string

/** Posts of a brand in every state that a few seconds make; what is written in them is one word. */
async function fill(labelId: string): Promise<void> {
  const { seed } = dashboard
  const newBrand = async () =>
    (await dashboard.member('POST', '/internal/social-sets', { name: 'Xyzzy', timezone: 'Europe/Berlin' })).id
  brand = await newBrand()
  empty = await newBrand()
  await dashboard.member('POST', '/internal/connections/sandbox', {
    socialSetId: brand,
    accountTypes: ['BLUESKY', 'THREADS'],
  })
  const of = (more: object, caption = 'Xyzzy') =>
    seed.postSet({
      socialSetId: brand,
      ...more,
      posts: ['BLUESKY', 'THREADS'].map((accountType) => ({ accountType, caption, media: [] })),
    })
  for (const approval of ['NONE', 'PENDING', 'APPROVED']) await of({ approval })
  ;({ id: post } = await of({ status: 'SCHEDULED', repeat: { interval: 'DAY', occurrences: 3 } }))
  await dashboard.member('PUT', `/internal/post-sets/${post}/labels`, { labelsId: [labelId] })
  await seed.note({ socialSetId: brand, content: 'Xyzzy' })
  const now = { status: 'SCHEDULED', scheduledAt: new Date().toISOString() }
  for (const { id } of [await of(now), await of(now, 'Xyzzy [[fault:account-suspended]]')]) {
    await seed.until(`/v1/post-sets/${id}`, ({ status }) => status === 'PUBLISHED')
  }
}

/** What the demo account, its networks and its operator's plan have written: names and sentences of the server. */
const DATA = [
  'Xyzzy',
  /Owner of Demo|Demo key|demo-\w+\.test|\b[Dd]emo\b/g,
  /\bScale\b/g,
  'An unknown browser',
  // What simulated networks are asked to do, as part of a caption.
  /\[\[[\w:-]+\]\]/g,
  /\b(Chrome|Linux)\b/g,
  ...EMOJI_NAMES,
  // Boards on Pinterest, categories of YouTube.
  'Fresh bread',
  'Pastries',
  // By whose clock a brand's time is, as the zone calls it.
  /\bBerlin\b/g,
  /Film & Animation|Music|People & Blogs|Howto & Style|Science & Technology/g,
  // Names of languages, which `Intl` knows.
  ...languageChoices(null).map(({ title }) => new RegExp(`^${RegExp.escape(title)}$`, 'g')),
]

const PUBLIC_PATHS = [
  '/dashboard/sign-in',
  '/dashboard/sign-in?ended=1',
  '/dashboard/forgot-password',
  '/dashboard/reset-password#token=unknown',
  '/dashboard/confirm-email#token=unknown',
  '/dashboard/invitation#token=unknown',
  '/dashboard/setup',
]

/** Screens of members whose content is that of the demo account. */
const MEMBER_PATHS = [
  '/dashboard/connections',
  ...SETTINGS.map((part) => `/dashboard/settings/${part}`),
  '/dashboard/nowhere',
]

const haveFocus = (
  elements: readonly { contains(other: unknown): boolean; ownerDocument: { activeElement: unknown } }[],
) => elements.some((element) => element.contains(element.ownerDocument.activeElement))

describe('every word comes from a catalog', () => {
  test.each(PUBLIC_PATHS)('%s', async (path) => {
    browser.allowProblem(/: (?:401|404|410)$/)
    const page = await dashboard.open(path, { locale: PSEUDO })
    await settled(page)
    expect(await untranslatedWords(page, DATA)).toEqual([])
  })

  test.each(MEMBER_PATHS)('%s', async (path) => {
    const page = await dashboard.open(path, { locale: PSEUDO, signedIn: true })
    await settled(page)
    expect(await untranslatedWords(page, DATA)).toEqual([])
    await page.setViewportSize(NARROW)
    await settled(page)
    expect(await untranslatedWords(page, DATA)).toEqual([])
  })

  test.each([
    ['month', () => calendarPath('month', { set: brand, date: '2030-06-12' })],
    ['week', () => calendarPath('week', { set: brand, date: '2030-06-12' })],
    ['list', () => calendarPath('list', { set: brand, date: '2030-06-12' })],
    ['month of all brands', () => calendarPath('month', { date: '2030-06-12' })],
    ['week of all brands', () => calendarPath('week', { date: '2030-06-12' })],
    ['list of all brands', () => calendarPath('list', { date: '2030-06-12' })],
    ['drafts of all brands', () => '/dashboard/drafts'],
    ['approvals of all brands', () => '/dashboard/approvals'],
    ['a new post, of which brand', () => calendarPath('month', { date: '2030-06-12', post: 'new' })],
    ['list of results', () => calendarPath('list', { set: brand })],
    ['month by filters', () => calendarPath('month', { set: brand, date: '2031-01-12', status: 'draft', q: 'Xyzzy' })],
    ['first steps', () => calendarPath('month', { set: empty })],
    ['post', () => calendarPath('month', { set: brand, date: '2030-06-12', post })],
    ['results', () => `/dashboard/results?brand=${brand}`],
    ['no results', () => `/dashboard/results?brand=${empty}`],
    ['media', () => `/dashboard/media?set=${brand}`],
    ['no media', () => `/dashboard/media?set=${empty}`],
    ['drafts', () => `/dashboard/drafts?set=${brand}`],
    ['no drafts', () => `/dashboard/drafts?set=${empty}`],
    ['approvals', () => `/dashboard/approvals?brand=${brand}`],
    ['no approvals', () => `/dashboard/approvals?brand=${empty}&tab=requested`],
    ['rule of approval', () => `/dashboard/settings/social-sets/${brand}`],
    ['note', () => calendarPath('month', { set: brand, date: '2030-06-12', note: 'new' })],
  ])('%s', async (_, path) => {
    const page = await dashboard.open(path(), { locale: PSEUDO, signedIn: true })
    await settled(page)
    expect(await untranslatedWords(page, DATA)).toEqual([])
    await page.setViewportSize(NARROW)
    await settled(page)
    expect(await untranslatedWords(page, DATA)).toEqual([])
  })

  test('the composer, with problems, and each of its tabs', async () => {
    const path = calendarPath('month', { set: brand, date: '2030-06-12', post: 'new', at: '2030-06-12T10:00:00.000Z' })
    const page = await dashboard.open(path, { locale: PSEUDO, signedIn: true })
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('checkbox').first().waitFor({ state: 'attached' })
    for (const account of await dialog.getByRole('checkbox').all()) await account.click()
    await dialog.locator('textarea').first().fill('Xyzzy '.repeat(60))
    await settled(page)
    expect(await untranslatedWords(page, DATA)).toEqual([])
    for (const tab of await dialog.getByRole('tab').all()) {
      await tab.click()
      await settled(page)
      expect(await untranslatedWords(page, DATA)).toEqual([])
    }
    for (const menu of await dialog.locator('[aria-haspopup]').all()) {
      if (!(await menu.isVisible()) || !(await menu.isEnabled())) continue
      await menu.click()
      await expect.poll(() => menu.getAttribute('aria-expanded')).toBe('true')
      const popup = page.locator(`[id="${await menu.getAttribute('aria-controls')}"]`)
      await popup.waitFor()
      await settled(page)
      expect(await untranslatedWords(page, DATA)).toEqual([])
      // Escape is for what has the focus.
      await expect.poll(() => popup.or(menu).evaluateAll(haveFocus as never)).toBe(true)
      await page.keyboard.press('Escape')
      await expect.poll(() => menu.getAttribute('aria-expanded')).toBe('false')
    }
  })

  test('the forms of all networks, and what is chosen once for an account', async () => {
    const path = calendarPath('month', { date: '2030-06-12', post: 'new', at: '2030-06-12T10:00:00.000Z' })
    const page = await dashboard.open(`${path}&set=${dashboard.socialSetId}`, { locale: PSEUDO, signedIn: true })
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('checkbox').first().waitFor({ state: 'attached' })
    for (const account of await dialog.getByRole('checkbox').all()) await account.click()
    await dialog.locator('textarea').first().fill('Xyzzy')
    for (const tab of (await dialog.getByRole('tab').all()).slice(1)) {
      await tab.click()
      await settled(page)
      const form = dialog.getByRole('region').filter({ has: page.locator('select') })
      if ((await form.count()) > 0) await form.first().locator('select').last().selectOption({ index: 1 })
      expect(await untranslatedWords(page, DATA)).toEqual([])
    }
    const { connections } = await dashboard.member('GET', `/internal/connections?socialSetId=${dashboard.socialSetId}`)
    // Categories of YouTube, boards of Pinterest.
    const ofNetworks = /Film & Animation|Music|People & Blogs|Howto & Style|Science & Technology|Fresh bread|Pastries/g
    const chosen = ['TIKTOK', 'LINKEDIN_PAGE', 'LINKEDIN_PERSONAL', 'YOUTUBE', 'PINTEREST', 'GMB', 'TWITTER']
    for (const accountType of chosen) {
      const { id } = connections.find((each: { accountType: string }) => each.accountType === accountType)
      await page.goto(`${dashboard.url}/dashboard/connections?set=${dashboard.socialSetId}&defaults=${id}`)
      await dialog.locator('input').first().waitFor()
      await settled(page)
      expect([accountType, ...(await untranslatedWords(page, [...DATA, ofNetworks]))]).toEqual([accountType])
    }
  })

  test('menus and dialogs of the calendar', async () => {
    const path = calendarPath('month', { set: brand, date: '2030-06-12' })
    const page = await dashboard.open(path, { locale: PSEUDO, signedIn: true })
    const card = page.locator('[data-item^="card-"]').first()
    const expectWords = async () => {
      await settled(page)
      expect(await untranslatedWords(page, DATA)).toEqual([])
      await page.keyboard.press('Escape')
    }
    await card.focus()
    await expectWords()
    for (const key of ['m', 'l', '?']) {
      await card.focus()
      await page.keyboard.press(key)
      await page.getByRole('dialog').waitFor()
      await expectWords()
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    }
    await card.click({ button: 'right' })
    await page.getByRole('menu').waitFor()
    await expectWords()
    await card.focus()
    await page.keyboard.press('x')
    await page.getByRole('toolbar').waitFor()
    await expectWords()
    for (const button of await page.getByRole('main').locator('[aria-haspopup="dialog"]').all()) {
      await button.click()
      await page.getByRole('dialog').first().waitFor()
      await expectWords()
    }
  })

  test('dialogs of the settings', async () => {
    const page = await dashboard.open('/dashboard/settings/team', { locale: PSEUDO, signedIn: true })
    await page.getByRole('main').getByRole('button').first().click()
    await page.getByRole('dialog').getByRole('radio').first().waitFor()
    expect(await untranslatedWords(page, DATA)).toEqual([])
    await page.goto(`${dashboard.url}/dashboard/settings/labels`)
    await page.locator('[aria-haspopup="menu"]').last().waitFor()
    await page.getByRole('button', { name: /Xyzzy/ }).click()
    await page.getByRole('menuitem').last().click()
    await page.getByRole('dialog').getByRole('button').last().waitFor()
    expect(await untranslatedWords(page, DATA)).toEqual([])
  })

  test('the news, and the dialogs of calendars', async () => {
    const page = await dashboard.open('/dashboard/settings/calendars', { locale: PSEUDO, signedIn: true })
    const dialog = page.getByRole('dialog')
    const expectWords = async () => {
      await dialog.getByRole('button').last().waitFor()
      await settled(page)
      expect(await untranslatedWords(page, DATA)).toEqual([])
    }
    await page.getByRole('navigation').locator('[aria-haspopup="dialog"]').last().click()
    await expectWords()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('main').getByRole('button').first().click()
    await dialog.getByRole('radio').nth(1).check()
    await expectWords()
    await page.goto(`${dashboard.url}/dashboard/settings/shared-calendars?share=${brand}`)
    await dialog.getByRole('radio').nth(1).check()
    await expectWords()
  })

  test('a page that is refused says so in words of the catalog', async () => {
    browser.allowProblem(/: 503$/)
    const page = await dashboard.open('/dashboard/settings/labels', {
      locale: PSEUDO,
      signedIn: true,
      failing: /\/internal\/labels/,
    })
    const alert = page.getByRole('main').getByRole('alert')
    await alert.waitFor()
    expect(await untranslatedWords(page, DATA)).toEqual([])
  })
})

test('the walk finds what comes from no catalog', async () => {
  const page = await dashboard.open('/dashboard/sign-in', { locale: PSEUDO })
  await page.evaluate(`(() => {
    document.querySelector('main').insertAdjacentHTML('beforeend', '<p>Plain words</p><i aria-label="A label"></i><input placeholder="Type here">')
  })()`)
  expect(await untranslatedWords(page)).toEqual([
    'text of <p>: Plain words',
    'aria-label of <i>: A label',
    'placeholder of <input>: Type here',
  ])
})

describe('German', () => {
  const language = 'document.documentElement.lang'

  test('a German browser shows German, with problems of the server', async () => {
    browser.allowProblem(/\/internal\/session: 401$/)
    const page = await dashboard.open('/dashboard/sign-in', { locale: 'de-DE' })
    await page.getByRole('heading', { name: 'Anmelden' }).waitFor()
    expect(await page.evaluate(language)).toBe('de')
    await page.getByLabel('E-Mail').fill('nobody@example.invalid')
    await page.getByLabel('Passwort', { exact: true }).fill('not the password')
    await page.getByRole('button', { name: 'Anmelden' }).click()
    await page.getByText('Adresse, Passwort oder Code ist falsch').waitFor()
  })

  test('the form of a network is German: names, what they mean, and what can be chosen', async () => {
    const path = calendarPath('month', { date: '2030-06-12', post: 'new', at: '2030-06-12T10:00:00.000Z' })
    const page = await dashboard.open(`${path}&set=${dashboard.socialSetId}`, { locale: 'de-DE', signedIn: true })
    const dialog = page.getByRole('dialog', { name: 'Neuer Beitrag' })
    await dialog.getByRole('checkbox', { name: /^TikTok/ }).click()
    await dialog.getByRole('checkbox', { name: /^Google/ }).click()
    await dialog.getByRole('tab', { name: /^TikTok/ }).click()
    const privacy = dialog.getByLabel('Wer die Beiträge sehen kann')
    await privacy.click()
    await page.getByRole('option', { name: 'Nur das Konto selbst' }).click()
    await dialog.getByText('Private Konten können nicht für alle veröffentlichen.').waitFor()
    await dialog.getByRole('tab', { name: /^Google/ }).click()
    await dialog.getByLabel('Button', { exact: true }).selectOption('Mehr erfahren')
    await dialog.getByLabel('Sprache der Beiträge').waitFor()
    await dialog.getByRole('tab').first().click()
    await dialog.getByRole('button', { name: 'TikTok: Wer die Beiträge sehen kann Nur das Konto selbst' }).waitFor()
  })

  test('another language of the profile holds at once, and the next time', async () => {
    const member = await dashboard.newMember({ role: 'author', name: 'Ada' })
    const page = await dashboard.open('/dashboard/settings/profile', { signedIn: member })
    await page.getByLabel('Language and region').selectOption('de-CH')
    await page.getByRole('button', { name: 'Save preferences' }).click()
    await page.getByRole('heading', { name: 'Profil', level: 1 }).waitFor()
    await page.getByRole('link', { name: 'Verbindungen' }).waitFor()
    expect(await page.evaluate(language)).toBe('de')
    expect(await page.title()).toContain('Profil')

    await page.reload()
    await page.getByLabel('Sprache und Region').selectOption('en-GB')
    await page.getByRole('button', { name: 'Einstellungen speichern' }).click()
    await page.getByRole('heading', { name: 'Profile', level: 1 }).waitFor()
    expect(await page.evaluate(language)).toBe('en')
  })

  test.each(['en-GB', 'de-DE'])('no word is cut in the rail and in the bar below, in %s', async (locale) => {
    const page = await dashboard.open('/dashboard/settings/profile', { locale, signedIn: true })
    const main = page.getByRole('navigation').filter({ has: page.locator('a[href$="/dashboard/drafts"]') })
    const entries = main.getByRole('link')
    await entries.first().waitFor()
    const hrefs = await entries.evaluateAll((links) => links.map((link) => new URL(String(link)).pathname))
    expect(hrefs).toHaveLength(7)
    for (const href of hrefs) {
      await main.locator(`a[href^="${href}"]`).click()
      await main.locator(`a[href^="${href}"][aria-current="page"]`).waitFor()
      expect(await cutTexts(main), href).toEqual([])
    }
    await page.setViewportSize(NARROW)
    await main.getByRole('button').first().waitFor()
    expect(await cutTexts(main)).toEqual([])
  })

  test('no word is cut above the accounts of the composer', async () => {
    const path = calendarPath('month', { date: '2030-06-12', post: 'new', at: '2030-06-12T10:00:00.000Z' })
    const page = await dashboard.open(`${path}&set=${dashboard.socialSetId}`, { locale: 'de-DE', signedIn: true })
    const dialog = page.getByRole('dialog', { name: 'Neuer Beitrag' })
    await dialog.getByRole('button', { name: 'Alle', exact: true }).click()
    await dialog.getByRole('textbox').first().fill('Xyzzy')
    await dialog.getByText(/Entwurf gesichert /).waitFor()
    for (const name of ['Keine', 'Gruppen', 'Labels'])
      expect(await cutTexts(dialog.getByRole('button', { name, exact: true }))).toEqual([])
  })

  test('a long name of a brand stays within the rail, and what is not saved is quoted as German does', async () => {
    const { id } = await dashboard.member('POST', '/internal/social-sets', {
      name: 'Konditorei am Donaukanal und Söhne',
      timezone: 'Europe/Berlin',
    })
    const page = await dashboard.open(calendarPath('month', { set: id, date: '2030-06-12', post: 'new' }), {
      locale: 'de-DE',
      signedIn: true,
    })
    const dialog = page.getByRole('dialog', { name: 'Neuer Beitrag' })
    await dialog.getByRole('textbox').first().fill('Xyzzy')
    await dialog.getByText(/Entwurf gesichert /).waitFor()
    await page.goto(`${dashboard.url}${calendarPath('month', { set: id, date: '2030-06-12' })}`)
    await page.getByText('Das hast du noch nicht gespeichert: „Xyzzy“').waitFor()
    // A long name ends within the rail, behind the picture of the brand.
    const brandButton = page.getByRole('button', { name: /Konditorei/ })
    const [button, name] = [await box(brandButton), await box(brandButton.getByText(/^Konditorei/))]
    expect(name.x).toBeGreaterThanOrEqual(button.x)
    expect(name.x + name.width).toBeLessThanOrEqual(button.x + button.width)
    expect((await box(brandButton.getByText('K', { exact: true }))).x).toBeGreaterThan(0)
  })

  test('a language without a catalog shows English', async () => {
    const page = await dashboard.open('/dashboard/sign-in', { locale: 'fr-FR' })
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    expect(await page.evaluate(language)).toBe('en')
  })
})
