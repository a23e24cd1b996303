import { readHtml, textOf } from '../design/pasting.ts'
import type { Given } from './given.ts'
import { refusalOfFile } from './refusals.ts'

/** A file of this computer, or a picture of a web page by its address. */
export type Source = File | URL

/**
 * The files and pictures that were dropped or pasted; none when it was something else, such as a text. Office programs give a
 * picture of each text besides: there the text is what was meant.
 */
export function filesOf(given: Given): Source[] {
  const pictures = picturesIn(given.html)
  if ((given.files.length === 0 && pictures.length === 0) || isText(given)) return []
  // Some browsers give a dragged picture in a format that no network takes: by its address it is what it was.
  const isUseless = given.files.every((file) => refusalOfFile(file) !== null)
  return isUseless && pictures.length > 0 ? pictures : given.files.map(named)
}

/** Whether a text was meant, of what has files or pictures too. */
function isText({ files, text, html, isRich }: Given): boolean {
  const plain = seenOf(text)
  if (plain === '') return seenOf(textOf(html)) !== ''
  if (areNamed(files, plain)) return false
  // Beside a picture, browsers give its address.
  return !/^[a-z][a-z\d+.-]*:\S+$/i.test(plain) || isRich || seenOf(textOf(html)) !== ''
}

/** Without what is not seen, and the sign that stands for an object in a text. */
const seenOf = (text: string) => text.replace(/[\u200b-\u200f\u2060\ufffc]/g, '').trim()

/** Whether a text is what file managers call the files beside them: their names or paths. */
function areNamed(files: readonly File[], text: string): boolean {
  const names = new Set(files.map(({ name }) => name.normalize()))
  return text.split(/[\r\n]+/).every((line) => {
    const name = line.slice(1 + Math.max(line.lastIndexOf('/'), line.lastIndexOf('\\')))
    return names.has(name.normalize()) || names.has(decoded(name).normalize())
  })
}

function picturesIn(html: string): Source[] {
  if (!/<img\s/i.test(html)) return []
  return [...readHtml(html).images].flatMap((image) => {
    const address = URL.parse(image.getAttribute('src') ?? '')
    return address ? (fileIn(address) ?? address) : []
  })
}

/** The file that a `data:` address holds itself. */
function fileIn({ protocol, pathname }: URL): File | null {
  const [, kind = '', base64 = ''] = /^image\/([\w.+-]+);base64,(.*)$/s.exec(pathname) ?? []
  if (protocol !== 'data:' || base64 === '') return null
  try {
    const bytes = Uint8Array.from(atob(decodeURIComponent(base64)), (sign) => sign.charCodeAt(0))
    return named(new File([bytes], `image.${kind}`, { type: `image/${kind}` }), 0)
  } catch {
    return null
  }
}

/** What the address of a picture calls it. */
export function nameOf({ hostname, pathname }: URL): string {
  return decoded(pathname.slice(pathname.lastIndexOf('/') + 1)).slice(0, 100) || hostname
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** A picture on the clipboard has no name of its own. */
function named(file: File, index: number): File {
  if (!/^image\.png$/i.test(file.name)) return file
  const time = new Date().toISOString().slice(0, 19).replace('T', ' ').replaceAll(':', '.')
  return new File([file], `pasted ${time}${index === 0 ? '' : ` ${index + 1}`}.png`, { type: file.type })
}
