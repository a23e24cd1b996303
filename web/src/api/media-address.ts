/**
 * Where a file of the media library is found from this page. The server names it by its public address; a page that was
 * opened by another name of the same server may load it by that name only.
 */
export function mediaAddress(address: string): string | null {
  const url = URL.parse(address, window.location.href)
  return url ? `${url.pathname}${url.search}` : null
}
