import { cleanName } from '#contract'

/**
 * A name for a file that was given none: the last part of the address's path, decoded; where that has no ending, such as a short link,
 * that of the address which redirects led to. Without any, the host.
 */
export function nameOfUrl(address: string, final = address): string {
  const names = [address, final].map(lastPart)
  return names.find((name) => ENDING.test(name)) ?? names.find((name) => name !== '') ?? new URL(address).hostname
}

const ENDING = /[^.]\.[a-z\d]{1,5}$/i

function lastPart(address: string): string {
  const last = new URL(address).pathname.split('/').findLast((part) => part !== '') ?? ''
  return cleanName(decoded(last))
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    // A lone percent sign: the text is what it is.
    return text
  }
}
