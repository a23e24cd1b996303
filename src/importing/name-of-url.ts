import { cleanName } from '#contract'

/** A name for a file that was given none: the last part of the address's path, decoded; without one, the host. */
export function nameOfUrl(address: string): string {
  const url = new URL(address)
  const last = url.pathname.split('/').findLast((part) => part !== '') ?? ''
  return cleanName(decoded(last)) || url.hostname
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    // A lone percent sign: the text is what it is.
    return text
  }
}
