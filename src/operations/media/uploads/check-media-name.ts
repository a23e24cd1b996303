import { codePointsOf, LIMITS, type ProblemEntry } from '#contract'
import { checkName } from '../../members/read-person.ts'

/** What is wrong with the name of a file. That it is a text of some length is shape, halves of characters are found in all texts. */
export function checkMediaName(name: unknown): ProblemEntry[] {
  if (typeof name !== 'string' || !name.isWellFormed() || name.includes('\0')) return []
  if (name === '' || codePointsOf(name) > LIMITS.nameCodePoints) return []
  return checkName('name', name, 'A file')
}
