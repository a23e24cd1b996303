import type { ProblemEntry } from '#contract'
import { checkName } from '../../members/read-person.ts'

/** What is wrong with the name of a file. That it has a length is shape, halves of characters are found in all texts. */
export function checkMediaName(name: string | null | undefined): ProblemEntry[] {
  if (typeof name !== 'string' || !name.isWellFormed() || name.includes('\0')) return []
  return checkName('name', name, 'A file')
}
