import { isUtf8 } from 'node:buffer'

/** Null for a name that no decoder knows. */
export function decoderOf(charset: string | null): InstanceType<typeof TextDecoder> | null {
  try {
    return charset === null ? null : new TextDecoder(charset)
  } catch {
    return null
  }
}

export const UTF_8 = new TextDecoder('utf-8')
/** What is said to be Latin is this (WHATWG Encoding). */
export const WINDOWS = new TextDecoder('windows-1252')

/** Null for bytes that are no UTF-8. */
export const utf8Of = (bytes: Uint8Array): string | null => (isUtf8(bytes) ? UTF_8.decode(bytes) : null)
