import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testBrowser } from '../../_util/browser/browser.ts'
import type { Dashboard } from '../../_util/browser/dashboard.ts'
import { calendarPath } from '../../_util/browser/dashboard-calendar.ts'
import { expectEveryLook, expectNoAxeViolations } from '../../_util/browser/dashboard-checks.ts'
import { chooseAccounts, composer, saveDraft } from '../../_util/browser/dashboard-composer.ts'
import { joinDashboard } from '../../_util/browser/dashboard-of-worker.ts'

/** What single networks want beside text and files: forms for people who do not know what an API is. */

const browser = testBrowser()
let dashboard: Dashboard
beforeAll(async () => {
  dashboard = await joinDashboard(browser)
}, 120_000)
afterAll(() => dashboard?.stop())

const openNew = (options: object = {}) =>
  dashboard.open(calendarPath('month', { date: '2030-06-12', post: 'new' }), { signedIn: true, ...options })

async function edit(post: object): Promise<Page> {
  const { id } = await dashboard.seed.postSet({ caption: '', posts: [post] })
  const page = await dashboard.open(calendarPath('month', { date: '2030-06-12', post: id }), { signedIn: true })
  await page.getByRole('button', { name: 'Edit' }).click()
  return page
}

describe('a text that is too long', () => {
  const first = 'How to keep bread fresh? '
  const whole = `${first}${'We store it in linen. '.repeat(14)}`.trim()

  test('is marked from where it is too much, and shortened where it is seen, by whole sentences, with a way back', async () => {
    const page = await openNew()
    const dialog = composer(page)
    await chooseAccounts(dialog, 'X', 'Facebook')
    await dialog.getByLabel('Caption', { exact: true }).fill(whole)
    const over = dialog.locator('mark[data-over]')
    await over.waitFor()
    const by = whole.length - 280
    expect(await over.innerText()).toBe(whole.slice(-by))
    await expectNoAxeViolations(page, 'a text that is too long')
    await dialog.getByRole('button', { name: 'Schedule', exact: true }).click()
    await dialog.getByRole('button', { name: `Shorten by ${by}` }).click()
    const own = dialog.getByLabel('Caption on X')
    const left = await own.inputValue()
    expect(left).toMatch(/^How to keep bread fresh\? .*linen\.$/)
    expect(left.length).toBeLessThanOrEqual(280)
    await expect.poll(() => over.count()).toBe(0)
    const note = dialog.getByRole('status').filter({ hasText: 'Shortened for X' })
    expect(await note.locator('del').innerText()).toBe(whole.slice(left.length).trim())
    expect(await page.evaluate('document.activeElement.tagName')).toBe('TEXTAREA')
    await expectEveryLook(page, 'a text that was shortened')
    await note.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => own.inputValue()).toBe(whole)
    await note.waitFor({ state: 'hidden' })
    expect(await dialog.getByRole('button', { name: 'Reset to All' }).count()).toBe(0)
  })
})

test('X counts an address as 23 letters: what is cut is what X counts too much, and no part of an address', async () => {
  const link = `https://example.com/${'rye-'.repeat(30)}bread`
  const page = await openNew()
  const dialog = composer(page)
  await chooseAccounts(dialog, 'X')
  await dialog.getByLabel('Caption', { exact: true }).fill(`${'We store it in linen. '.repeat(12)}${link}`)
  const over = dialog.locator('mark[data-over]')
  await over.waitFor()
  expect(await over.innerText()).toBe(link)
  await dialog.getByRole('button', { name: 'Schedule', exact: true }).click()
  await dialog.getByRole('button', { name: 'Shorten by 7' }).click()
  expect(await dialog.getByLabel('Caption on X').inputValue()).toBe('We store it in linen. '.repeat(12).trim())
  const note = dialog.getByRole('status').filter({ hasText: 'Shortened for X' })
  expect(await note.locator('del').innerText()).toBe(link)
})

describe('Pinterest', () => {
  const pin = (mediaLibraryId: string) => ({
    ...{ accountType: 'PINTEREST', caption: 'Rye', title: 'Rye', website: '', media: [{ mediaLibraryId }] },
  })

  test('offers the boards of the account, found by typing, to everyone who writes', async () => {
    const author = await dashboard.newMember({ role: 'author' })
    const mediaLibraryId = await dashboard.seed.media('photo.jpg')
    const { id } = await dashboard.seed.postSet({ caption: '', posts: [pin(mediaLibraryId)] })
    const page = await dashboard.open(calendarPath('month', { date: '2030-06-12', post: id }), { signedIn: author })
    await page.getByRole('button', { name: 'Edit' }).click()
    const dialog = composer(page, 'Edit post')
    await dialog.getByRole('tab', { name: /^Pinterest/ }).click()
    const board = dialog.getByRole('combobox', { name: 'Board' })
    await board.click()
    const offered = page.getByRole('listbox').getByRole('option')
    await offered.first().waitFor()
    const name = await offered.first().innerText()
    await board.fill(name.slice(0, 3))
    await expectNoAxeViolations(page, 'a list of boards')
    await page.getByRole('option', { name }).first().click()
    await saveDraft(page)
    await dialog.waitFor({ state: 'hidden' })
    const { posts } = await dashboard.seed.call('GET', `/v1/post-sets/${id}`)
    expect(posts[0].board).toEqual({ id: expect.stringMatching(/^\d+$/), name })
  })

  test('has a star where something is needed, and nowhere else', async () => {
    const page = await edit(pin(await dashboard.seed.media('photo.jpg')))
    const dialog = composer(page, 'Edit post')
    await dialog.getByRole('tab', { name: /^Pinterest/ }).click()
    const form = dialog.getByRole('region', { name: 'Only on Pinterest' })
    expect(await form.locator('label').filter({ hasText: '*' }).allInnerTexts()).toEqual([
      expect.stringMatching(/^Title/),
    ])
    await form.getByLabel('Link').fill('')
  })
})

test('YouTube has categories by their names, and no numbers', async () => {
  const media = [{ mediaLibraryId: await dashboard.seed.media('video-h264-aac.mp4') }]
  const page = await edit({ accountType: 'YOUTUBE', caption: 'Rye', title: 'Rye', privacy: 'PUBLIC', media })
  const dialog = composer(page, 'Edit post')
  await dialog.getByRole('tab', { name: /^YouTube/ }).click()
  const form = dialog.getByRole('region', { name: 'Only on YouTube' })
  await form.getByRole('combobox', { name: 'Category' }).click()
  const named = page.getByRole('listbox').getByRole('option').first()
  await named.waitFor()
  expect(await named.innerText()).toMatch(/^\p{L}/u)
  expect(await form.innerText()).not.toMatch(/number|\bfalse\b|BCP/)
})

test('Bluesky has languages by their names', async () => {
  const page = await edit({ accountType: 'BLUESKY', caption: 'Rye', media: [] })
  const dialog = composer(page, 'Edit post')
  await dialog.getByRole('tab', { name: /^Bluesky/ }).click()
  const language = dialog.getByRole('combobox', { name: 'Language of the posts' })
  await language.fill('portug')
  await page.getByRole('option', { name: 'Brazilian Portuguese' }).click()
  await saveDraft(page)
  await dialog.waitFor({ state: 'hidden' })
})

test('Instagram asks for what the kind of post has: a story what becomes of its picture, a picture people and a comment of several lines', async () => {
  const media = [{ mediaLibraryId: await dashboard.seed.media('photo.jpg') }]
  const post = { accountType: 'INSTAGRAM', caption: 'Rye', type: 'IMAGE', collaborators: [], media }
  const page = await edit(post)
  const dialog = composer(page, 'Edit post')
  await dialog.getByRole('tab', { name: /^Instagram/ }).click()
  const form = dialog.getByRole('region', { name: 'Only on Instagram' })
  const names = () => form.locator('label').allInnerTexts()
  await expect.poll(names).toEqual(['Kind of post', 'Collaborators', 'First comment', 'Pictures of another shape'])
  await form.getByLabel('First comment').fill('Two lines\n#rye')
  expect(await form.getByLabel('First comment').inputValue()).toBe('Two lines\n#rye')
  await expectEveryLook(page, 'the form of Instagram')
  await form.getByLabel('First comment').fill('')
  await form.getByLabel('Kind of post').selectOption('STORY')
  await expect.poll(names).toEqual(['Kind of post', 'Pictures of another shape'])
})

describe('the sound of a reel', () => {
  const reel = async (more: object) => ({
    ...{ accountType: 'INSTAGRAM', caption: 'Rye', type: 'REEL', collaborators: [] },
    ...{ media: [{ mediaLibraryId: await dashboard.seed.media('video-h264-aac.mp4') }], ...more },
  })

  test('is named for people, and one that a program chose can be taken out of any kind of post', async () => {
    const { id } = await dashboard.seed.postSet({ caption: '', posts: [await reel({ audio: '258421' })] })
    const page = await dashboard.open(calendarPath('month', { date: '2030-06-12', post: id }), { signedIn: true })
    const panel = page.getByRole('dialog', { name: 'Post', exact: true })
    await panel.getByText('A track of the network').waitFor()
    expect(await panel.innerText()).not.toContain('258421')
    await page.getByRole('button', { name: 'Edit' }).click()
    const dialog = composer(page, 'Edit post')
    await dialog.getByRole('tab', { name: /^Instagram/ }).click()
    const form = dialog.getByRole('region', { name: 'Only on Instagram' })
    await form.getByLabel('Name of the sound').and(form.getByRole('textbox')).waitFor()
    expect(await form.innerText()).toContain('Shown on the reel in place of “Original audio”.')
    await expectEveryLook(page, 'the form of a reel')
    await form.getByLabel('Kind of post').selectOption('STORY')
    await form.getByRole('button', { name: 'Remove the track' }).click()
    await form.getByRole('group', { name: 'Sound' }).waitFor({ state: 'detached' })
    expect(await page.evaluate('document.activeElement !== document.body')).toBe(true)
    await saveDraft(page)
    await dialog.waitFor({ state: 'hidden' })
    const { posts } = await dashboard.seed.call('GET', `/v1/post-sets/${id}`)
    expect(posts[0]).toMatchObject({ type: 'STORY', audio: null })
  })
})

test('Google asks for a link where there is a button that has one, and nowhere else', async () => {
  const page = await edit({ accountType: 'GMB', caption: 'Rye', ctaType: 'NONE', media: [] })
  const dialog = composer(page, 'Edit post')
  await dialog.getByRole('tab', { name: /^Google/ }).click()
  const form = dialog.getByRole('region', { name: 'Only on Google Business' })
  const names = () => form.locator('label').allInnerTexts()
  await expect.poll(names).toEqual(['Button', 'Language of the posts'])
  await form.getByLabel('Button', { exact: true }).selectOption('SHOP')
  await expect.poll(names).toEqual(['Button', expect.stringMatching(/^Button link\s*\*$/), 'Language of the posts'])
  await form.getByLabel('Button link').fill('https://example.com/shop')
  await expectEveryLook(page, 'the form of Google')
  await form.getByLabel('Button', { exact: true }).selectOption('CALL')
  await expect.poll(names).toEqual(['Button', 'Language of the posts'])
  // It is there again for who changes their mind, and goes nowhere meanwhile.
  await saveDraft(page)
  await dialog.waitFor({ state: 'hidden' })
  const set = new URL(page.url()).searchParams.get('post')
  const { posts } = await dashboard.seed.call('GET', `/v1/post-sets/${set}`)
  expect(posts[0]).toMatchObject({ ctaType: 'CALL', ctaUrl: null })
})

test('TikTok has the audiences of the account as a list, of which none is chosen', async () => {
  const media = [{ mediaLibraryId: await dashboard.seed.media('photo.jpg') }]
  const page = await edit({ accountType: 'TIKTOK', caption: 'Rye', media })
  const dialog = composer(page, 'Edit post')
  await dialog.getByRole('tab', { name: /^TikTok/ }).click()
  const form = dialog.getByRole('region', { name: 'Decisions for TikTok' })
  const audience = form.getByRole('combobox', { name: 'Who can see the posts' })
  await expect.poll(() => audience.getAttribute('placeholder')).toBe('Choose')
  expect(await audience.inputValue()).toBe('')
  await audience.click()
  const offered = page.getByRole('listbox').getByRole('option')
  await offered.first().waitFor()
  expect(await offered.allInnerTexts()).toContain('Only the account itself')
  await expectNoAxeViolations(page, 'a list of audiences')
  await offered.filter({ hasText: 'Only the account itself' }).click()
  await expectEveryLook(page, 'the form of TikTok')
  await saveDraft(page)
  await dialog.waitFor({ state: 'hidden' })
  const panel = page.getByRole('dialog', { name: 'Post', exact: true })
  await panel.getByText('Only the account itself').waitFor()
  const set = new URL(page.url()).searchParams.get('post')
  const { posts } = await dashboard.seed.call('GET', `/v1/post-sets/${set}`)
  expect(posts[0].options).toMatchObject({ privacy: 'SELF_ONLY', allowComments: false, brandContent: false })
})

test('the panel of a post has languages and categories by their names', async () => {
  const options = { languageCode: 'pt-BR' }
  const video = [{ mediaLibraryId: await dashboard.seed.media('video-h264-aac.mp4') }]
  const posts = [
    { accountType: 'BLUESKY', caption: 'Rye', options, media: [] },
    {
      ...{ accountType: 'YOUTUBE', caption: 'Rye', title: 'Rye', privacy: 'PUBLIC' },
      media: video,
      options: { category: '22' },
    },
  ]
  const { id } = await dashboard.seed.postSet({ caption: '', posts })
  const page = await dashboard.open(calendarPath('month', { date: '2030-06-12', post: id }), { signedIn: true })
  const panel = page.getByRole('dialog', { name: 'Post', exact: true })
  const network = panel.getByRole('group', { name: 'Network of the preview' })
  await network.getByRole('button', { name: 'Bluesky' }).click()
  await panel.getByText('Brazilian Portuguese').waitFor()
  await network.getByRole('button', { name: 'YouTube' }).click()
  await panel.getByText('People & Blogs').waitFor()
})
