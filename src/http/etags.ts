/** Whether a header If-None-Match names what there is (RFC 9110, 13.1.2). */
export function isKnown(header: string | undefined, etag: string): boolean {
  return (header ?? '').split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag || tag.trim() === '*')
}
