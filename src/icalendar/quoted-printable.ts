import { decoderOf, utf8Of, WINDOWS } from './charsets.ts'

const PARAMETER = /^[A-Z0-9-]+(?:;[^:;]*)*;(?:ENCODING=)?"?QUOTED-PRINTABLE"?[;:]/i

/** Whether the value of a line is written in quoted-printable (vCalendar 1.0, 2.1.3; RFC 2045, 6.7). */
export const isQuotedPrintable = (line: string): boolean => PARAMETER.test(line.slice(0, 300))

const BASE64 = /^[A-Z0-9-]+(?:;[^:;]*)*;ENCODING="?(?:BASE64|B)"?[;:]/i

/** Whether its value is written in that way, or in base64. */
export const isEncoded = (line: string): boolean => isQuotedPrintable(line) || BASE64.test(line.slice(0, 300))

/** The line without that, as iCalendar has it. */
export function decodedLine(line: string): string {
  const colon = line.indexOf(':')
  const [name = '', ...parameters] = line.slice(0, colon).split(';')
  const charset = parameters.find((each) => /^CHARSET=/i.test(each))?.slice(8)
  const written = line.slice(colon + 1)
  const value = isQuotedPrintable(line) ? bytesOf(written.replace(/=$/, '')) : Buffer.from(written, 'base64')
  return `${name}:${escaped(textOf(value, charset?.replaceAll('"', '') ?? null))}`
}

/** Letters that are written as they are stay. */
function bytesOf(value: string): Buffer {
  const parts = value.split(/((?:=[0-9A-F]{2})+)/i)
  return Buffer.concat(
    parts.map((part, index) => (index % 2 === 1 ? Buffer.from(part.replaceAll('=', ''), 'hex') : Buffer.from(part))),
  )
}

function textOf(bytes: Buffer, charset: string | null): string {
  const named = charset === null || /^utf-?8$/i.test(charset) ? null : decoderOf(charset)
  return utf8Of(bytes) ?? (named ?? WINDOWS).decode(bytes)
}

/** In vCalendar 1.0 a semicolon alone is escaped. */
const escaped = (text: string) => text.replaceAll(/\\(?![;,nN\\])/g, '\\\\').replaceAll(/\r\n|\r|\n/g, '\\n')
