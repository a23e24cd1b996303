import { LIMITS } from '#contract'

/**
 * Why a text is no good as a new password for that address, as the end of a sentence that begins with
 * "The password"; null when it is good. Its length and that others do not think of it first are all that counts
 * (NIST SP 800-63B-4, 3.1.1.2, read 2026-11-21).
 *
 * @param common those that others think of first, in lower case
 */
export function passwordProblem(password: string, email: string, common: ReadonlySet<string>): string | null {
  const { min, max } = LIMITS.password
  // As it is hashed: however a keyboard writes a letter.
  const text = password.normalize('NFKC')
  const length = [...text].length
  if (length < min) return `needs at least ${min} characters`
  if ([...password].length > max || length > max) return `must have at most ${max} characters`
  if (!password.isWellFormed() || password.includes('\0')) return 'has a character that cannot be used'
  const plain = text.toLowerCase().trim()
  const [localPart = ''] = email.split('@', 1)
  if (plain === email.toLowerCase() || plain === localPart.toLowerCase()) return 'must not be your email address'
  if (common.has(plain) || new Set(plain).size <= 1) return 'is one of those that everybody tries first'
  return null
}
