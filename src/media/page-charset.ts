/**
 * How the text of a page is coded, as browsers find out (https://html.spec.whatwg.org/multipage/parsing.html#determining-the-character-encoding,
 * read 2026-11-29): by its first bytes, the header, and what the page says of itself.
 */

/** What comes before everything that a page says: its first bytes and the header. Null: neither says anything that is known. */
export function certainCharset(page: Buffer, header: string | null): string | null {
  if (page[0] === 0xef && page[1] === 0xbb && page[2] === 0xbf) return 'utf-8'
  if (page[0] === 0xfe && page[1] === 0xff) return 'utf-16be'
  if (page[0] === 0xff && page[1] === 0xfe) return 'utf-16le'
  return header === null ? null : knownCharset(header)
}

/**
 * A charset that a page names in itself. It was readable as ASCII so far, which UTF-16 is not: such a page is in UTF-8.
 */
export function claimedCharset(label: string): string | null {
  const known = knownCharset(label)
  if (known === 'x-user-defined') return 'windows-1252'
  return known?.startsWith('utf-16') ? 'utf-8' : known
}

/** `<?xml version="1.0" encoding="windows-1252"?>` at the beginning, which pages in XHTML have. */
export function xmlCharset(page: Buffer): string | null {
  const head = page.subarray(0, 256).toString('latin1')
  const label = /^<\?xml\s[^>]*?encoding\s*=\s*["']([^"'>]+)["']/.exec(head)?.[1]
  return label === undefined ? null : claimedCharset(label)
}

/** Of a page that names none: UTF-8 when it can be, as far as it came; otherwise what most others are. */
export function likelyCharset(page: Buffer): string {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(page, { stream: true })
    return 'utf-8'
  } catch {
    return 'windows-1252'
  }
}

/** The name by which decoders know it; null when they do not. */
function knownCharset(label: string): string | null {
  try {
    return new TextDecoder(label).encoding
  } catch {
    return null
  }
}
