import { afterAll, beforeAll, expect, test } from 'vitest'
import { testBrowser } from '../../_util/browser/browser.ts'
import type { Dashboard } from '../../_util/browser/dashboard.ts'
import { calendarPath } from '../../_util/browser/dashboard-calendar.ts'
import { expectEveryLook, expectNoAxeViolations } from '../../_util/browser/dashboard-checks.ts'
import { chooseAccounts, composer, saveDraft } from '../../_util/browser/dashboard-composer.ts'
import { joinDashboard } from '../../_util/browser/dashboard-of-worker.ts'
import { readFixture } from '../../_util/networks/file-server.ts'

const browser = testBrowser()
let dashboard: Dashboard
beforeAll(async () => {
  dashboard = await joinDashboard(browser)
}, 120_000)
afterAll(() => dashboard?.stop())

const AT = '2030-06-13T10:00:00.000Z'
const openNew = () =>
  dashboard.open(calendarPath('month', { date: '2030-06-13', post: 'new', at: AT }), { signedIn: true })
const written = async (caption: string) => {
  const { data } = await dashboard.seed.call('GET', `/v1/post-sets?socialSetId=${dashboard.socialSetId}&size=100`)
  return data.find(({ posts }: { posts: { caption: string }[] }) => posts.some((post) => post.caption === caption))
}
type Part = { id: string; caption: string; media: object[] }
const textsOf = (post: { thread?: Part[] } | undefined) => post?.thread?.map(({ caption }) => caption)

test('a thread is written by keys, keeps the whole text elsewhere, and is changed without losing its parts', async () => {
  const page = await openNew()
  const dialog = composer(page)
  await chooseAccounts(dialog, 'Bluesky', 'Facebook')
  const whole = 'How we bake rye.\n\nIn three parts.'
  await dialog.getByLabel('Caption', { exact: true }).fill(whole)
  // Facebook has no threads.
  await dialog.getByRole('tab', { name: /^Facebook/ }).click()
  expect(await dialog.getByRole('button', { name: 'Make it a thread' }).count()).toBe(0)
  await dialog.getByRole('tab', { name: /^Bluesky/ }).click()
  await dialog.getByRole('button', { name: 'Make it a thread' }).click()
  const part = (number: number) => dialog.getByLabel(`Text of part ${number}`)
  await part(2).click()
  await page.keyboard.type('The dough rests.')
  // Two breaks are a paragraph, three end the part.
  for (const _ of [1, 2]) await page.keyboard.press('Enter')
  await page.keyboard.type('All night.')
  for (const _ of [1, 2, 3]) await page.keyboard.press('Enter')
  await part(3).waitFor()
  await page.keyboard.type('At four the oven is hot.')
  expect(await part(2).inputValue()).toBe('The dough rests.\n\nAll night.')
  expect(await part(3).inputValue()).toBe('At four the oven is hot.')
  await expectNoAxeViolations(page, 'the composer with a thread')
  await expectEveryLook(page, 'the composer with a thread')
  // Both are seen as a chain.
  const preview = dialog.getByLabel('Preview', { exact: true })
  await preview.getByText('At four the oven is hot.').waitFor()
  await saveDraft(page)
  await dialog.waitFor({ state: 'hidden' })
  const set = await written(whole)
  const [bluesky, facebook] = ['BLUESKY', 'FACEBOOK'].map((type) =>
    set.posts.find(({ accountType }: { accountType: string }) => accountType === type),
  )
  expect([bluesky.caption, ...(textsOf(bluesky) ?? [])]).toEqual([
    whole,
    'The dough rests.\n\nAll night.',
    'At four the oven is hot.',
  ])
  expect([facebook.caption, textsOf(facebook)]).toEqual([whole, undefined])

  const again = await dashboard.open(calendarPath('month', { date: '2030-06-13', post: set.id }), {
    signedIn: true,
  })
  await again.getByRole('dialog', { name: 'Post', exact: true }).getByRole('button', { name: 'Edit' }).click()
  const edited = composer(again, 'Edit post')
  await edited.getByRole('tab', { name: /^Bluesky/ }).click()
  const third = edited.getByLabel('Text of part 3')
  await third.click()
  await again.keyboard.press('Home')
  await again.keyboard.press('Backspace')
  // Joined to the one before.
  await third.waitFor({ state: 'detached' })
  const second = edited.getByLabel('Text of part 2')
  expect(await second.inputValue()).toBe('The dough rests.\n\nAll night.\n\nAt four the oven is hot.')
  await edited.getByRole('button', { name: 'Add a part' }).click()
  await edited.getByLabel('Text of part 3').fill('That was that.')
  await saveDraft(again)
  await edited.waitFor({ state: 'hidden' })
  const after = (await written(whole)).posts.find(({ id }: { id: string }) => id === bluesky.id)
  expect(textsOf(after)).toEqual(['The dough rests.\n\nAll night.\n\nAt four the oven is hot.', 'That was that.'])
  expect(after.thread[0].id).toBe(bluesky.thread[0].id)
})

test('a text that is pasted with breaks becomes parts, and a picture goes into its part', async () => {
  const page = await openNew()
  const dialog = composer(page)
  await chooseAccounts(dialog, 'Bluesky')
  await dialog.getByRole('tab', { name: /^Bluesky/ }).click()
  const first = dialog.getByLabel('Caption on Bluesky')
  await first.fill('First of four\n\n\nSecond\n\n\nThird')
  await dialog.getByRole('button', { name: 'Make it a thread' }).click()
  expect(await first.inputValue()).toBe('First of four')
  await dialog.getByLabel('Text of part 3').fill('Third\n\n\nFourth')
  expect(await dialog.getByLabel('Text of part 4').inputValue()).toBe('Fourth')
  const item = dialog.getByRole('listitem').filter({ has: page.getByLabel('Text of part 3') })
  const loaf = { name: 'loaf.jpg', mimeType: 'image/jpeg', buffer: await readFixture('photo.jpg') }
  await item.locator('input[type="file"]').setInputFiles(loaf)
  await item.getByRole('button', { name: /^Picture 1 of 1, loaf\.jpg/ }).waitFor()
  await dialog.getByRole('button', { name: 'Remove part 2' }).click()
  await saveDraft(page)
  await dialog.waitFor({ state: 'hidden' })
  const { posts } = await written('First of four')
  expect(textsOf(posts[0])).toEqual(['Third', 'Fourth'])
  expect(posts[0].thread.map(({ media }: Part) => media.length)).toEqual([1, 0])
  expect(posts[0].media).toEqual([])
})

test('a problem of a part stands beside it', async () => {
  const page = await openNew()
  const dialog = composer(page)
  await chooseAccounts(dialog, 'Bluesky')
  await dialog.getByRole('tab', { name: /^Bluesky/ }).click()
  await dialog.getByLabel('Caption on Bluesky').fill('Same words')
  await dialog.getByRole('button', { name: 'Make it a thread' }).click()
  await dialog.getByLabel('Text of part 2').fill('Same words')
  await dialog.getByLabel('Caption on Bluesky').click()
  const item = dialog.getByRole('listitem').filter({ has: page.getByLabel('Text of part 2') })
  await item.getByText(/same text as part 1/).waitFor()
  await dialog.getByLabel('Text of part 2').fill('a'.repeat(301))
  await item.getByText(/at most 300 characters; this one has 301/).waitFor()
})
