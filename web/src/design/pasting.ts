import { plainLines } from '#contract/plain-lines'

/**
 * Pasted into any field, a text has no control characters, and one that comes as HTML alone comes at all. Else browsers paste
 * themselves. Called once.
 */
export function takePasted(): void {
  document.addEventListener('paste', (event) => {
    const { clipboardData: transfer, target } = event
    if (event.defaultPrevented || !transfer || !takesText(target)) return
    const given = transfer.getData('text/plain')
    const text = plainLines(given || textOf(transfer.getData('text/html')))
    if (text === given) return
    event.preventDefault()
    insertText(text)
  })
}

/** Puts a text into the field that has the focus, as typed: it replaces what is selected, fits into the field, and can be undone. */
export function insertText(text: string): void {
  document.execCommand('insertText', false, plainLines(text))
}

/** Whether it is a field for texts. Passwords are none: not a character of them is changed. */
export function takesText(target: EventTarget | null): target is HTMLInputElement | HTMLTextAreaElement {
  const isField = target instanceof HTMLTextAreaElement || target instanceof HTMLInputElement
  return isField && target.type !== 'password' && !target.readOnly
}

const UNSEEN = 'head, script, template'
const LINES = 'address, blockquote, div, dd, dt, h1, h2, h3, h4, h5, h6, li, p, pre, tr'

/** Stands before `style` where it may be an attribute. */
const MARK = '\ue000'

/** HTML from elsewhere, of which nothing is shown. Without its styles: the page's policy refuses each of them aloud. */
export function readHtml(html: string): Document {
  const plain = html.replace(/<(\/?)style/gi, '<$1template').replace(/\s(?=style=)/gi, `$&${MARK}`)
  return new DOMParser().parseFromString(plain, 'text/html')
}

/** The text of HTML, with its lines; of pictures, nothing. */
export function textOf(html: string): string {
  const page = readHtml(html)
  const walker = page.createTreeWalker(page, NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) {
    const { currentNode: text } = walker
    if (!text.parentElement?.closest('pre')) text.nodeValue = text.nodeValue?.replace(/[ \t\r\n]+/g, ' ') ?? ''
  }
  for (const each of page.querySelectorAll(UNSEEN)) each.remove()
  for (const each of page.querySelectorAll('br')) each.replaceWith('\n')
  for (const each of page.querySelectorAll(LINES)) each.append('\n')
  for (const each of page.querySelectorAll(':is(td, th) + :is(td, th)')) each.prepend('\t')
  const text = page.body.textContent?.replaceAll(MARK, '') ?? ''
  // Between lines of HTML are spaces that no one sees.
  return text
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}
