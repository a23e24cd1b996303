import { codePointsOf, LIMITS, type ProblemEntry } from '#contract'
import { checkName } from '../../members/read-person.ts'

/** Problems of a file name. Its length is checked with the shape, half surrogate pairs with all texts. */
export function checkMediaName(name: unknown): ProblemEntry[] {
  if (typeof name !== 'string' || !name.isWellFormed() || name.includes('\0')) return []
  if (name === '' || codePointsOf(name) > LIMITS.nameCodePoints) return []
  return checkName('name', name, 'A file')
}
