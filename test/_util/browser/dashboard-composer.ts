import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'

/** The composer, for any kind of post. */
export const composer = (page: Page, name: 'New post' | 'Edit post' = 'New post') => page.getByRole('dialog', { name })

/** Opens the composer for a new post, by the button of the screen. */
export async function openNewPost(page: Page): Promise<Locator> {
  await page
    .getByRole('button', { name: /^New post/ })
    .or(page.getByRole('link', { name: 'New post' }))
    .first()
    .click()
  return composer(page)
}

/** Chooses accounts by the names of their networks; one that is chosen from the beginning stays so. */
export async function chooseAccounts(dialog: Locator, ...networks: string[]): Promise<void> {
  for (const network of networks) {
    const account = dialog.getByRole('checkbox', { name: new RegExp(`^${network}`) })
    const isChosen = async () => (await account.getAttribute('aria-checked')) === 'true'
    if (await isChosen()) continue
    await account.click()
    await expect.poll(isChosen).toBe(true)
  }
}

/** Leaves the composer by an entry of the menu beside its button. */
export async function endWith(page: Page, ending: RegExp): Promise<void> {
  await page.getByRole('button', { name: 'More options' }).click()
  await page.getByRole('menuitem', { name: ending }).click()
}

export const saveDraft = (page: Page) => endWith(page, /^Save (as )?draft/)

/** A file as the page gets it when it is chosen, dropped or pasted. */
export interface GivenFile {
  name: string
  mimeType: string
  buffer: Buffer
}

/** Drops files on an element, or pastes them there. */
export async function give(target: Locator, how: 'drop' | 'paste', files: readonly GivenFile[]): Promise<void> {
  const sent = files.map(({ name, mimeType, buffer }) => ({ name, mimeType, base64: buffer.toString('base64') }))
  await target.evaluate(
    (element: { dispatchEvent(event: unknown): boolean }, { how, sent }) => {
      const transfer = new (globalThis as unknown as Window).DataTransfer()
      for (const { name, mimeType, base64 } of sent) {
        const bytes = Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0))
        transfer.items.add(new File([bytes], name, { type: mimeType }))
      }
      const events = how === 'drop' ? ['dragenter', 'dragover', 'drop'] : ['paste']
      const common = { bubbles: true, cancelable: true }
      for (const type of events) {
        const { DragEvent, ClipboardEvent } = globalThis as unknown as Window
        element.dispatchEvent(
          how === 'drop'
            ? new DragEvent(type, { ...common, dataTransfer: transfer })
            : new ClipboardEvent(type, { ...common, clipboardData: transfer }),
        )
      }
    },
    { how, sent },
  )
}

interface Window {
  DataTransfer: new () => { items: { add(file: File): void } }
  DragEvent: new (type: string, init: object) => Event
  ClipboardEvent: new (type: string, init: object) => Event
}

/** The list of uploads, which is a line beside the composer. Under the pointer it stays. */
export async function showUploads(page: Page): Promise<Locator> {
  const tray = page.getByRole('region', { name: 'Uploads' })
  const show = tray.getByRole('button', { name: 'Show the list of uploads' })
  await show.or(tray.getByRole('button', { name: 'Hide the list of uploads' })).hover()
  if (await show.isVisible()) await show.click()
  return tray
}
