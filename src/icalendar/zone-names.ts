/** The name of a timezone as it is meant: without escapes of texts (RFC 5545, 3.3.11), quotes, and spaces around it. */
export function plainName(written: string): string {
  return written
    .trim()
    .replaceAll(/\\([,;\\])/g, '$1')
    .replaceAll('"', '')
    .replaceAll(/\s+/g, ' ')
    .trim()
}
