import type { ByteRange } from './store.ts'

/**
 * Reads a `Range` header against a file of `size` bytes (RFC 9110, section 14). Null means: answer with the whole file.
 * That holds for no header, other units, several ranges and anything malformed, all of which a server may ignore.
 * `unsatisfiable` means: answer 416.
 */
export function parseRange(header: string | undefined, size: number): ByteRange | 'unsatisfiable' | null {
  const match = /^bytes=(\d*)-(\d*)$/i.exec((header ?? '').trim())
  if (!match) return null
  const [, first = '', last = ''] = match
  if (first === '') {
    if (last === '') return null
    const length = Math.min(Number(last), size)
    return length === 0 ? 'unsatisfiable' : { start: size - length, end: size }
  }
  const start = Number(first)
  if (last !== '' && Number(last) < start) return null
  if (start >= size) return 'unsatisfiable'
  return { start, end: last === '' ? size : Math.min(Number(last) + 1, size) }
}
