import type { Dispatcher } from 'undici'

/** What the head of an answer says of its body. Header values come from undici as latin1: one character a byte. */

type AnswerHeaders = Dispatcher.ResponseData['headers']

/**
 * Codings of bodies that are registered (https://www.iana.org/assignments/http-parameters, read 2026-11-29). Servers and scripts
 * set other words too, such as `none`, `UTF-8`, `binary`, `chunked` or `aws-chunked`: these say nothing of the bytes.
 */
const CODINGS = new Map([
  ...['br', 'gzip', 'deflate', 'zstd', 'compress', 'aes128gcm', 'dcb', 'dcz', 'exi', 'pack200-gzip'].map(
    (name) => [name, name] as const,
  ),
  ['x-gzip', 'gzip'],
  ['x-compress', 'compress'],
])

/** How the bytes of a body are coded, in the order in which that was done. */
export function codingsOf(headers: AnswerHeaders): string[] {
  return listOf(headers['content-encoding'])
    .join(',')
    .split(',')
    .flatMap(
      (word) =>
        CODINGS.get(
          word
            .trim()
            .toLowerCase()
            .replace(/^"(.*)"$/, '$1'),
        ) ?? [],
    )
}

/** `text/html; charset="ISO-8859-1"` as lower-case type and charset. */
export function contentTypeOf(headers: AnswerHeaders): { mimeType: string | null; charset: string | null } {
  const [first = ''] = listOf(headers['content-type'])
  const mimeType = first.split(/[;,]/, 1)[0]?.trim().toLowerCase() || null
  const [, doubled, single, bare] = /[;,\s]charset\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s;,"']+))/i.exec(first) ?? []
  return { mimeType, charset: (doubled ?? single ?? bare)?.trim().toLowerCase() || null }
}

/** The size of a file that is sent whole by `Content-Range: bytes 0-99/100`; null for a part of one. */
export function wholeRange(headers: AnswerHeaders): number | null {
  const [, first, last, size] =
    /^bytes[ =]+(\d+)-(\d+)\/(\d+)$/i.exec(firstHeader(headers, 'content-range') ?? '') ?? []
  return Number(first) === 0 && Number(last) + 1 === Number(size) ? Number(size) : null
}

/** Where an answer redirects to. Bytes beyond ASCII are kept as they are, as browsers do. */
export function locationOf(headers: AnswerHeaders, base: URL): URL | null {
  const written = firstHeader(headers, 'location')
  const encoded = written?.replace(/[\x80-\xff]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`)
  return encoded === undefined ? null : URL.parse(encoded, base)
}

export function firstHeader(headers: AnswerHeaders, name: string): string | null {
  return listOf(headers[name])[0] ?? null
}

function listOf(value: string | string[] | undefined): string[] {
  return value === undefined ? [] : [value].flat()
}
