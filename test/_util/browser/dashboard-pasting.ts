import type { Locator, Page } from 'playwright-core'
import type { Clipboard } from './clipboards.ts'
import { box } from './dashboard-calendar.ts'

/** What the script of a page has, which runs in the browser. */
interface Scope {
  navigator: { clipboard: { write(items: readonly unknown[]): Promise<void> } }
  ClipboardItem: new (parts: Record<string, Blob>) => unknown
  DataTransfer: new () => { items: { add(file: File): void }; setData(type: string, text: string): void }
  ClipboardEvent: new (type: string, init: object) => Event
}

/** Puts the texts and one picture on the browser's clipboard, and pastes as a person does. HTML is what the browser leaves of it. */
export async function pasteByKeys(
  page: Page,
  clipboard: Clipboard,
  picture: Buffer,
  keys = 'Control+V',
): Promise<void> {
  const { files = [], 'text/rtf': _, ...texts } = clipboard
  await page.bringToFront()
  await page.evaluate(
    async ({ texts, picture }) => {
      const { navigator, ClipboardItem } = globalThis as unknown as Scope
      const parts: Record<string, Blob> = {}
      // The browser cleans the HTML in this page, whose policy refuses styles.
      const plain = (text: string) => text.replace(/<style[\s\S]*?<\/style>| style=(?:"[^"]*"|'[^']*')/g, '')
      for (const [type, text] of Object.entries(texts)) parts[type] = new Blob([plain(text)], { type })
      if (picture !== null) {
        const bytes = Uint8Array.from(atob(picture), (sign) => sign.charCodeAt(0))
        parts['image/png'] = new Blob([bytes], { type: 'image/png' })
      }
      await navigator.clipboard.write([new ClipboardItem(parts)])
    },
    { texts, picture: files.length > 0 ? picture.toString('base64') : null },
  )
  await page.keyboard.press(keys)
}

/**
 * Pastes everything that a clipboard holds, by an event: browsers let no page write all of it. Answers whether the page took it;
 * else it is left to the browser.
 */
export function pasteAll(field: Locator, clipboard: Clipboard, picture: Buffer): Promise<boolean> {
  const { files = [], ...texts } = clipboard
  return field.evaluate(
    (element: { dispatchEvent(event: unknown): boolean }, { files, texts, picture }) => {
      const { DataTransfer, ClipboardEvent } = globalThis as unknown as Scope
      const transfer = new DataTransfer()
      for (const [type, text] of Object.entries(texts)) transfer.setData(type, text)
      const bytes = Uint8Array.from(atob(picture), (sign) => sign.charCodeAt(0))
      for (const name of files) {
        const type = name.endsWith('.pdf') ? 'application/pdf' : `image/${name.endsWith('.jpg') ? 'jpeg' : 'png'}`
        transfer.items.add(new File([bytes], name, { type }))
      }
      return !element.dispatchEvent(
        new ClipboardEvent('paste', { bubbles: true, cancelable: true, clipboardData: transfer }),
      )
    },
    { files, texts, picture: picture.toString('base64') },
  )
}

/** What is dragged, by type. */
export type DragData = Readonly<Record<string, string>>

/** Drags something from elsewhere onto an element, as the browser's window gets it, and lets go. */
export async function dropOn(page: Page, target: Locator, dragged: DragData): Promise<void> {
  const { x, y, width, height } = await box(target)
  const session = await page.context().newCDPSession(page)
  const items = Object.entries(dragged).map(([mimeType, data]) => ({ mimeType, data }))
  const data = { items, files: [], dragOperationsMask: 1 }
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    await session.send('Input.dispatchDragEvent', { type, x: x + width / 2, y: y + height / 2, data })
  }
  await session.detach()
}
