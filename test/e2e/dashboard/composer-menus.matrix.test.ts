import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testBrowser } from '../../_util/browser/browser.ts'
import { type Dashboard, settled } from '../../_util/browser/dashboard.ts'
import { box, calendarPath } from '../../_util/browser/dashboard-calendar.ts'
import { cutTexts, expectEveryLook, expectNoAxeInBothColors } from '../../_util/browser/dashboard-checks.ts'
import { chooseAccounts, composer, give, saveDraft } from '../../_util/browser/dashboard-composer.ts'
import { joinDashboard } from '../../_util/browser/dashboard-of-worker.ts'

/** What opens over the composer: emojis, hashtags, labels; and a picture that is too tall, in words. */

const browser = testBrowser()
let dashboard: Dashboard
beforeAll(async () => {
  dashboard = await joinDashboard(browser)
}, 120_000)
afterAll(() => dashboard?.stop())

const openNew = (options: object = {}) =>
  dashboard.open(calendarPath('month', { date: '2030-06-12', post: 'new', at: '2030-06-12T10:00:00.000Z' }), {
    signedIn: true,
    ...options,
  })

test('the emojis that were used last come first, and are no menu', async () => {
  const page = await openNew()
  const dialog = composer(page)
  const opener = dialog.getByRole('button', { name: 'Emoji' })
  await opener.click()
  const emojis = page.getByRole('region', { name: 'Emojis' }).getByRole('button')
  await emojis.first().waitFor()
  await expectNoAxeInBothColors(page, 'emojis')
  const chosen = await emojis.nth(9).innerText()
  await emojis.nth(9).click()
  await expect.poll(() => dialog.getByLabel('Caption', { exact: true }).inputValue()).toBe(chosen)
  await opener.click()
  await page.getByRole('radio', { name: 'Last used' }).waitFor({ state: 'attached' })
  expect(await emojis.allInnerTexts()).toEqual([chosen])
  await expectNoAxeInBothColors(page, 'emojis that were used')
  await page.keyboard.press('Escape')
  await emojis.first().waitFor({ state: 'detached' })
  await dialog.waitFor()
})

test.each([
  ['en-GB', 'Search emojis', 'bread', '🍞', 'No emoji found.'],
  ['de-DE', 'Emojis suchen', 'Kuchen', '🎂', 'Kein Emoji gefunden.'],
])('an emoji is found by its name in the language of the page: %s', async (locale, field, typed, emoji, nothing) => {
  const page = await openNew({ locale })
  const dialog = page.getByRole('dialog', { name: locale === 'de-DE' ? 'Neuer Beitrag' : 'New post' })
  await dialog.getByRole('button', { name: 'Emoji' }).click()
  const search = page.getByRole('searchbox', { name: field })
  await expect.poll(() => search.evaluate((input) => input.matches(':focus'))).toBe(true)
  await search.fill('qwertz')
  await page.getByText(nothing).waitFor()
  await expectNoAxeInBothColors(page, 'no emoji')
  await search.fill(typed)
  await page.getByRole('region', { name: 'Emojis' }).getByRole('button', { name: emoji }).waitFor()
  await expectNoAxeInBothColors(page, 'emojis that were found')
  const [first = ''] = await page.getByRole('region', { name: 'Emojis' }).getByRole('button').allInnerTexts()
  await search.press('Enter')
  const caption = dialog.getByLabel(locale === 'de-DE' ? 'Text' : 'Caption', { exact: true })
  await expect.poll(() => caption.inputValue()).toBe(first)
})

test.each(['de-DE', 'en-GB'])(
  'hashtags are saved and changed without leaving the post, in words that fit: %s',
  async (locale) => {
    const german = locale === 'de-DE'
    const page = await openNew({ locale })
    const dialog = page.getByRole('dialog', { name: german ? 'Neuer Beitrag' : 'New post' })
    const opener = dialog.getByRole('button', { name: 'Hashtags' })
    await opener.click()
    const menu = page.getByRole('menu')
    await menu.waitFor()
    expect(await cutTexts(menu)).toEqual([])
    const [inside, around] = [await box(menu.locator('[class*="label"]').first()), await box(menu)]
    expect(inside.width).toBeLessThanOrEqual(around.width)
    expect(
      await menu.evaluate(({ scrollWidth, clientWidth }: never) => (scrollWidth as number) - (clientWidth as number)),
    ).toBeLessThanOrEqual(0)
    if (german) return
    await page.keyboard.press('Escape')
    await dialog.getByLabel('Caption', { exact: true }).fill('Out of the oven #rye #crust')
    await opener.click()
    await page.getByRole('menuitem', { name: 'Save the hashtags of this text…' }).click()
    await page.getByRole('dialog', { name: 'New group of hashtags' }).getByLabel('Name').fill('Bread')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await opener.click()
    await page.getByRole('menuitem', { name: 'Edit the groups…' }).click()
    const groups = page.getByRole('dialog', { name: 'Groups of hashtags' })
    await groups.getByText('#rye #crust').waitFor()
    await expectNoAxeInBothColors(page, 'groups of hashtags over a post')
    await page.keyboard.press('Escape')
    await groups.waitFor({ state: 'detached' })
    expect(await dialog.getByLabel('Caption', { exact: true }).inputValue()).toBe('Out of the oven #rye #crust')
  },
)

test('a group of hashtags is created where it is missed, with none in the text', async () => {
  const groupsPath = `/internal/hashtag-groups?socialSetId=${dashboard.socialSetId}`
  const { data: before } = await dashboard.member('GET', groupsPath)
  for (const { id } of before) await dashboard.member('DELETE', `/internal/hashtag-groups/${id}`)
  const page = await openNew()
  const dialog = composer(page)
  await dialog.getByRole('button', { name: 'Hashtags' }).click()
  await page.getByRole('menuitem', { name: 'New group…' }).click()
  const groups = page.getByRole('dialog', { name: 'Groups of hashtags' })
  await groups.getByLabel('Name of the group').fill('Bread')
  await groups.getByLabel('Hashtags', { exact: true }).fill('rye crust')
  await groups.getByRole('button', { name: 'Add group' }).click()
  await groups.getByRole('list', { name: 'Hashtag groups' }).getByText('#rye #crust').waitFor()
  await page.keyboard.press('Escape')
  await dialog.getByRole('button', { name: 'Hashtags' }).click()
  await page.getByRole('menuitem', { name: /^Bread/ }).click()
  expect(await dialog.getByLabel('Caption', { exact: true }).inputValue()).toContain('#rye #crust')
  expect(page.context().pages()).toHaveLength(1)
})

test('a label is created where it is missed, and the post has it', async () => {
  const page = await openNew()
  const dialog = composer(page)
  await chooseAccounts(dialog, 'Bluesky')
  await dialog.getByLabel('Caption', { exact: true }).fill('With a new label')
  await dialog.getByRole('button', { name: 'Labels' }).click()
  await page.getByRole('menuitem', { name: 'New label…' }).click()
  const form = page.getByRole('dialog', { name: 'New label' })
  await form.getByLabel('Name').fill('Opening week')
  await expectNoAxeInBothColors(page, 'a new label')
  await form.getByRole('button', { name: 'Create label' }).click()
  await dialog.getByRole('button', { name: 'Labels: Opening week' }).waitFor()
  await saveDraft(page)
  await dialog.waitFor({ state: 'hidden' })
  const { data } = await dashboard.seed.call('GET', `/v1/post-sets?socialSetId=${dashboard.socialSetId}&size=100`)
  type Found = { labelsId: string[]; posts: { caption: string }[] }
  const made = (data as Found[]).find(({ posts }) => posts[0]?.caption === 'With a new label')
  expect(made?.labelsId).toHaveLength(1)
})

test('a picture that is too tall is called so, and can become a story', async () => {
  const buffer = await sharp({ create: { width: 1080, height: 1920, channels: 3, background: '#c96' } })
    .jpeg()
    .toBuffer()
  const page = await openNew()
  const dialog = composer(page)
  await chooseAccounts(dialog, 'Instagram')
  await dialog.getByLabel('Caption', { exact: true }).fill('Straight up')
  await give(dialog.getByLabel('Caption', { exact: true }), 'paste', [
    { name: 'tall.jpg', mimeType: 'image/jpeg', buffer },
  ])
  await dialog.getByRole('button', { name: /^Picture 1 of 1/ }).waitFor()
  await dialog.getByRole('button', { name: 'Schedule', exact: true }).click()
  await dialog
    .getByText(/too tall: 3:4 at most/)
    .first()
    .waitFor()
  expect(await dialog.innerText()).not.toContain('0.75')
  await dialog
    .getByRole('button', { name: /^Crop to / })
    .first()
    .waitFor()
  await expectEveryLook(page, 'a picture that is too tall')
  await dialog.getByRole('button', { name: 'Make it a story' }).first().click()
  await expect.poll(() => dialog.getByText(/too tall/).count()).toBe(0)
  await dialog.getByRole('tab', { name: /^Instagram/ }).click()
  expect(await dialog.getByLabel('Kind of post').inputValue()).toBe('STORY')
  await settled(page)
})

test('pictures of a pin that differ in size are cropped alike, and several that stand upright become a story', async () => {
  const picture = async (name: string, height: number) => ({
    name,
    mimeType: 'image/jpeg',
    buffer: await sharp({ create: { width: 1080, height, channels: 3, background: '#c96' } })
      .jpeg()
      .toBuffer(),
  })
  const page = await openNew()
  const dialog = composer(page)
  await chooseAccounts(dialog, 'Instagram', 'Pinterest')
  const caption = dialog.getByLabel('Caption', { exact: true })
  await caption.fill('Two of them')
  await give(caption, 'paste', [await picture('tall.jpg', 1920), await picture('low.jpg', 1800)])
  await dialog.getByRole('button', { name: /^Picture 2 of 2/ }).waitFor()
  await dialog.getByRole('button', { name: 'Schedule', exact: true }).click()
  const problems = dialog.getByRole('region', { name: 'Problems' })
  await problems.getByText(/^Pinterest: .*the pictures differ in size/).waitFor()
  await problems.getByRole('button', { name: 'Make it a story' }).click()
  await problems.getByText(/^Instagram: /).waitFor({ state: 'hidden' })
  await problems.getByRole('button', { name: 'Crop alike' }).click()
  await problems.getByText(/differ in size/).waitFor({ state: 'hidden' })
  await dialog.getByRole('tab', { name: /^Pinterest/ }).click()
  expect(await dialog.innerText()).not.toMatch(/1080x/)
})

test('an owner sets whose approval posts need while writing one, and what was written stays', async () => {
  const page = await openNew()
  const dialog = composer(page)
  const caption = dialog.getByLabel('Caption', { exact: true })
  await caption.fill('Asked before it goes out')
  const openRule = async () => {
    await page.getByRole('button', { name: 'More options' }).click()
    await page.getByRole('menuitem', { name: /^Approval rule/ }).click()
    const rule = page.getByRole('dialog', { name: /^Approval for/ })
    await rule.getByRole('radio', { name: 'Required' }).waitFor()
    return rule
  }
  const stored = () => dashboard.member('GET', `/internal/social-sets/${dashboard.socialSetId}/approval-rule`)
  const rule = await openRule()
  await rule.getByRole('radio', { name: 'Required' }).check()
  await expectNoAxeInBothColors(page, 'the rule of approval')
  await rule.getByRole('button', { name: 'Save rule' }).click()
  await rule.waitFor({ state: 'detached' })
  expect(await stored()).toMatchObject({ rule: 'REQUIRED' })
  expect(await caption.inputValue()).toBe('Asked before it goes out')
  await openRule()
  await page.keyboard.press('Escape')
  await rule.waitFor({ state: 'detached' })
  await dialog.waitFor()
  const editor = await dashboard.newMember({ role: 'editor' })
  const other = await openNew({ signedIn: editor })
  await other.getByRole('button', { name: 'More options' }).click()
  await other.getByRole('menuitem').first().waitFor()
  expect(await other.getByRole('menuitem', { name: /^Approval rule/ }).count()).toBe(0)
  await dashboard.member('PUT', `/internal/social-sets/${dashboard.socialSetId}/approval-rule`, {
    rule: 'OPTIONAL',
    reviewers: 1,
  })
})
