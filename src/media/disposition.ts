import { cleanName } from '#contract'

/**
 * The name that a server gives a file by `Content-Disposition` (RFC 6266): `filename*` before `filename`, without folders; null
 * where it gives none. `header` has one character a byte. What servers write besides is read as browsers do: UTF-8 or Windows 1252
 * as it is, percent signs, words of mails (RFC 2047), quotes that are missing.
 */
export function nameOfDisposition(header: string | null): string | null {
  if (header === null) return null
  const parts = partsOf(header)
  const extended = parts.get('filename*')
  const plain = parts.get('filename')
  const text =
    (extended === undefined ? null : decodeExtended(extended)) ?? (plain === undefined ? null : decode(plain))
  const name = cleanName(text?.split(/[/\\]/).at(-1) ?? '')
  return /^\.*$/.test(name) ? null : name
}

/**
 * The name that a form gives its file, as text: browsers write quotes and ends of lines as %22, %0D and %0A, and nothing else that way
 * (https://html.spec.whatwg.org/#multipart-form-data, read 2026-11-29); programs for mails write it in words of mails. Without
 * folders; null where there is none.
 */
export function nameOfFormFile(written: string): string | null {
  const text = decodeMailWords(written)
    .replace(/%22/g, '"')
    .replace(/%0d%0a|%0[da]/gi, ' ')
  const name = text.split(/[/\\]/).at(-1) ?? ''
  return name === '.' || name === '..' ? null : name || null
}

/** More is not read of a header. */
const MOST = 4_096

/** Names in lower case and values without quotes; of a repeated one the first. */
function partsOf(header: string): Map<string, string> {
  const found = new Map<string, string>()
  const pattern = /(?:^|;)\s*([^\s;="]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"?|([^;]*))/gs
  for (const [, name = '', quoted, bare = ''] of header.slice(0, MOST).matchAll(pattern)) {
    const key = name.toLowerCase()
    // Old programs send whole paths of Windows: other letters are not escaped.
    const value = quoted === undefined ? bare.trim() : quoted.replace(/\\(["\\])/g, '$1')
    if (!found.has(key)) found.set(key, value)
  }
  return found
}

/** `UTF-8'de'Br%C3%B6tchen.jpg` (RFC 8187); null when it is not written so. */
function decodeExtended(value: string): string | null {
  const [, charset = '', rest = ''] = /^([\w.:+-]+)'[^']*'(.*)$/s.exec(value) ?? []
  const bytes = percentBytes(rest)
  return bytes === null || charset === '' ? null : decodeBy(charset, bytes)
}

function decode(value: string): string {
  if (/=\?[^?\s]+\?[bq]\?[^?]*\?=/i.test(value)) return decodeMailWords(value)
  const bytes = /%[\da-f]{2}/i.test(value) ? percentBytes(value) : null
  return (bytes && decodeBy('utf-8', bytes)) ?? textOf(value)
}

/** Words as `=?UTF-8?Q?Br=C3=B6tchen?=`; space between two of them is not of the text. */
function decodeMailWords(value: string): string {
  return value
    .replace(/(\?=)\s+(?==\?)/g, '$1')
    .replace(
      /=\?([^?*\s]+)(?:\*[^?]*)?\?([bq])\?([^?]*)\?=/gi,
      (whole, charset: string, kind: string, text: string) => {
        const spaced = text.replaceAll('_', ' ').replace(/=([\da-f]{2})/gi, '%$1')
        const bytes = kind.toLowerCase() === 'b' ? Buffer.from(text, 'base64') : percentBytes(spaced)
        return (bytes && decodeBy(charset, bytes)) ?? whole
      },
    )
}

/** Characters as bytes, `%xx` as one; null where a percent sign stands for nothing. */
function percentBytes(text: string): Buffer | null {
  if (/%(?![\da-f]{2})/i.test(text)) return null
  return Buffer.from(
    text.replace(/%(..)/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  )
}

function textOf(value: string): string {
  const bytes = Buffer.from(value, 'latin1')
  return decodeBy('utf-8', bytes) ?? decodeBy('windows-1252', bytes) ?? value
}

/** Null for a charset that is not known and for bytes that are not of it. */
function decodeBy(charset: string, bytes: Buffer): string | null {
  try {
    return new TextDecoder(charset, { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}
