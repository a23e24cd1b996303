import type { Locator, Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testBrowser } from '../../_util/browser/browser.ts'
import { type Clipboard, OFFICE_TEXTS, OTHERS } from '../../_util/browser/clipboards.ts'
import { type Dashboard, startDashboard } from '../../_util/browser/dashboard.ts'
import { calendarPath, day } from '../../_util/browser/dashboard-calendar.ts'
import { composer, showUploads } from '../../_util/browser/dashboard-composer.ts'
import { type DragData, dropOn, pasteAll, pasteByKeys } from '../../_util/browser/dashboard-pasting.ts'
import { giveName, goTo, shareBrand } from '../../_util/browser/dashboard-shared.ts'
import { type FileServer, readFixture, startFileServer } from '../../_util/networks/file-server.ts'

/** What is pasted into texts and dropped on the composer arrives as it was meant. */

const browser = testBrowser()
let dashboard: Dashboard
let files: FileServer
let picture: Buffer
beforeAll(async () => {
  files = await startFileServer()
  picture = await sharp(await readFixture('photo.jpg'))
    .resize(64)
    .png()
    .toBuffer()
  dashboard = await startDashboard(browser, { ALMANAC_TRUSTED_FETCH_HOSTS: files.host })
}, 120_000)
afterAll(async () => {
  await dashboard?.stop()
  await files?.close()
})

const NEW = calendarPath('month', { date: '2030-06-12', post: 'new', at: '2030-06-12T10:00:00.000Z' })
const captionOf = (page: Page) => composer(page).getByLabel('Caption', { exact: true })
/** A new post, with an empty caption that has the focus. */
async function openComposer(): Promise<Page> {
  const page = await dashboard.open(NEW, { signedIn: true })
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await captionOf(page).click()
  return page
}
/** The composer again, without what was kept of it. */
async function startAgain(page: Page): Promise<Locator> {
  const discard = composer(page).getByRole('button', { name: /^Discard/ })
  await captionOf(page).fill('')
  for (const remove of await composer(page)
    .getByRole('button', { name: /^Remove (picture|pasted|video)/ })
    .all())
    await remove.click()
  if (await discard.isVisible()) await discard.click()
  await captionOf(page).click()
  return captionOf(page)
}
const filesOf = (page: Page) => composer(page).getByRole('list').getByRole('listitem')

describe('texts of office programs, with a picture of them', () => {
  test('are pasted by keys as texts', async () => {
    const page = await openComposer()
    for (const [program, { clipboard, caption }] of Object.entries(OFFICE_TEXTS)) {
      const field = await startAgain(page)
      await pasteByKeys(page, clipboard, picture)
      await expect.poll(() => field.inputValue(), { message: program }).toBe(caption)
      expect(await filesOf(page).count(), program).toBe(0)
    }
  })

  test('are left to the browser with all that the clipboard holds', async () => {
    const page = await openComposer()
    for (const [program, { clipboard, caption }] of Object.entries(OFFICE_TEXTS)) {
      const field = await startAgain(page)
      const taken = await pasteAll(field, clipboard, picture)
      const given = taken ? await field.inputValue() : clipboard['text/plain']?.replaceAll('\r\n', '\n')
      expect(given, program).toBe(caption)
      expect(await filesOf(page).count(), program).toBe(0)
    }
  })
})

describe('what else is on clipboards', () => {
  test.each(Object.entries(OTHERS))('%s', async (_, { clipboard, caption, files = [] }) => {
    const page = await openComposer()
    const field = captionOf(page)
    const taken = await pasteAll(field, clipboard, picture)
    await expectFiles(page, files)
    if (caption === undefined) expect(await field.inputValue()).toBe('')
    else expect(taken ? await field.inputValue() : plain(clipboard)).toBe(caption)
    if (!canBeWritten(clipboard)) return
    await startAgain(page)
    await pasteByKeys(page, clipboard, picture)
    await expectFiles(page, files)
    await expect.poll(() => field.inputValue()).toBe(caption ?? '')
  })

  const plain = (clipboard: Clipboard) => clipboard['text/plain']?.replaceAll('\r\n', '\n')
  /** By the page itself: it has pictures without a name, and no RTF. */
  const canBeWritten = (clipboard: Clipboard) =>
    clipboard['text/rtf'] === undefined && (clipboard.files ?? ['image.png']).join() === 'image.png'

  async function expectFiles(page: Page, names: readonly RegExp[]): Promise<void> {
    await expect.poll(() => filesOf(page).count()).toBe(names.length)
    if (names.length === 0) return
    const tray = await showUploads(page)
    for (const name of names) {
      await tray
        .getByRole('listitem')
        .filter({ hasText: new RegExp(name.source.replace('^', ''), 'u') })
        .first()
        .waitFor()
    }
  }
})

describe('a text with signs that networks do not take', () => {
  const WORD = { 'text/plain': 'one\vtwo\u2028three\u0007' }
  const CLEAN = 'one\ntwo\nthree'

  test('takes the place of what is selected, leaves the caret behind it, and is undone', async () => {
    const page = await openComposer()
    const field = captionOf(page)
    await page.keyboard.type('Say this now')
    await field.evaluate((field: { setSelectionRange(from: number, to: number): void }) =>
      field.setSelectionRange(4, 8),
    )
    await pasteByKeys(page, WORD, picture)
    expect(await field.inputValue()).toBe(`Say ${CLEAN} now`)
    await page.keyboard.type('!')
    expect(await field.inputValue()).toBe(`Say ${CLEAN}! now`)
    await page.keyboard.press('Backspace')
    // Typing before and behind it are steps of their own.
    for (let undone = 0; undone < 3 && (await field.inputValue()) !== 'Say this now'; undone++) {
      await page.keyboard.press('Control+z')
    }
    expect(await field.inputValue()).toBe('Say this now')
    for (let done = 0; done < 3 && (await field.inputValue()) !== `Say ${CLEAN} now`; done++) {
      await page.keyboard.press('Control+Shift+z')
    }
    expect(await field.inputValue()).toBe(`Say ${CLEAN} now`)
  })

  test('is pasted without its format too, and is what is sent', async () => {
    const page = await openComposer()
    await pasteByKeys(page, { ...WORD, 'text/html': '<p>one<br>two</p>' }, picture, 'Control+Shift+V')
    expect(await captionOf(page).inputValue()).toBe(CLEAN)
  })

  test('may be very long', async () => {
    const page = await openComposer()
    const paragraph = 'Fresh bread\vfrom seven, every day of the week. '
    const text = paragraph.repeat(1_300)
    await pasteByKeys(page, { 'text/plain': text, 'text/html': `<p>${text}</p>`, files: ['image.png'] }, picture)
    expect(await captionOf(page).inputValue()).toBe(text.replaceAll('\v', '\n'))
    await page.keyboard.press('Control+z')
    expect(await captionOf(page).inputValue()).toBe('')
  })

  test('is pasted into a note and a comment, and one line of it into a line', async () => {
    const post = await dashboard.seed.postSet({ caption: 'With comments' })
    const page = await dashboard.open(calendarPath('month', { date: '2030-06-12', note: 'new' }), { signedIn: true })
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    const into = async (field: Locator, text = CLEAN) => {
      await field.click()
      await pasteByKeys(page, WORD, picture)
      await expect.poll(() => field.inputValue()).toBe(text)
    }
    await into(page.getByRole('dialog').getByRole('textbox').first())
    await page.goto(`${dashboard.url}${calendarPath('month', { date: '2030-06-12', post: post.id })}`)
    await into(page.getByRole('region', { name: 'Comments' }).getByRole('textbox'))
    await page.goto(`${dashboard.url}/dashboard/settings/team`)
    await page
      .getByRole('button', { name: /Invite/ })
      .first()
      .click()
    await into(page.getByLabel('Email'), 'one two three')
  })

  test('is pasted by guests', async () => {
    const { id } = await dashboard.seed.postSet({ caption: 'For the client', approval: 'EXTERNAL_PENDING' })
    const page = await dashboard.open((await shareBrand(dashboard, { lastDay: '2031-01-31' })).path)
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await goTo(page, `date=2030-06-12&post=${id}`)
    const field = page.getByRole('textbox').last()
    await field.click()
    const name = page.getByRole('dialog', { name: 'Your name' })
    if (await name.isVisible()) await giveName(page)
    await field.click()
    await pasteByKeys(page, WORD, picture)
    await expect.poll(() => field.inputValue()).toBe(CLEAN)
  })
})

describe('a picture that is dragged out of a web page', () => {
  const html = (address: string) =>
    `<meta charset="utf-8"><a href="https://pictures.example/"><img src="${address}"></a>`
  const dragged = (address: string): DragData => ({
    'text/uri-list': 'https://pictures.example/',
    'text/html': html(address),
  })

  test('comes from its address, on the composer, its caption and a day', async () => {
    const address = await files.fixture('photo.jpg')
    const page = await openComposer()
    await dropOn(page, composer(page).getByText('Drop files here, or paste'), dragged(address))
    await composer(page)
      .getByRole('button', { name: /^Picture 1 of 1, photo\.jpg/ })
      .waitFor()
    await dropOn(page, captionOf(page), dragged(`${address}?again`))
    await composer(page)
      .getByRole('button', { name: /^Picture 2 of 2, photo\.jpg/ })
      .waitFor()
    expect(await captionOf(page).inputValue()).toBe('')
    const month = await dashboard.open(calendarPath('month', { date: '2030-07-10' }), { signedIn: true })
    await dropOn(month, day(month, '2030-07-17'), dragged(address))
    await composer(month)
      .getByRole('button', { name: /^Picture 1 of 1, photo\.jpg/ })
      .waitFor()
  })

  test('says what to do when it cannot be fetched', async () => {
    const page = await openComposer()
    const words = 'This picture cannot be fetched from its page. Save it on your computer, then add the file.'
    const drop = composer(page).getByText('Drop files here, or paste')
    for (const address of [
      files.url('/gone.jpg'),
      'http://192.168.1.1/camera.jpg',
      'blob:https://chat.example/0f-3a',
    ]) {
      await dropOn(page, drop, dragged(address))
      await composer(page).getByRole('alert').filter({ hasText: words }).waitFor()
      await composer(page)
        .getByRole('button', { name: /^Remove / })
        .click()
    }
  })

  test('is a file where its page holds it itself, and where the browser gives it', async () => {
    const page = await openComposer()
    const drop = composer(page).getByText('Drop files here, or paste')
    await dropOn(page, drop, dragged(`data:image/png;base64,${picture.toString('base64')}`))
    await composer(page)
      .getByRole('button', { name: /^Picture 1 of 1, pasted / })
      .waitFor()
  })

  test('a link stays a text of the caption', async () => {
    const page = await openComposer()
    await dropOn(page, captionOf(page), {
      'text/uri-list': 'https://bakery.example/menu',
      'text/plain': 'https://bakery.example/menu',
      'text/html': '<a href="https://bakery.example/menu">The menu</a>',
    })
    await expect.poll(() => captionOf(page).inputValue()).toBe('https://bakery.example/menu')
    expect(await filesOf(page).count()).toBe(0)
  })

  test('one that is in the post already stays where it is', async () => {
    const address = await files.fixture('photo.jpg')
    const page = await openComposer()
    const drop = composer(page).getByText('Drop files here, or paste')
    await dropOn(page, drop, dragged(address))
    await composer(page)
      .getByRole('button', { name: /^Picture 1 of 1/ })
      .waitFor()
    const shown = composer(page).getByRole('complementary', { name: 'Preview' }).locator('img')
    for (const image of await shown.all()) await image.dragTo(drop)
    expect(await filesOf(page).count()).toBe(1)
  })
})
