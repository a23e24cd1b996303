import { readFileSync } from 'node:fs'
import { type PlanCatalog, readPlanCatalog } from '#contract'
import { WrongValueError } from './values.ts'

/**
 * The plan catalog of a file at an absolute path.
 *
 * @throws WrongValueError with the path and everything that is wrong, but nothing else of what the file holds
 */
export function readPlansFile(path: string): PlanCatalog {
  const read = readPlanCatalog(parse(path, load(path)))
  if (read.ok) return read.plans
  const mistakes = read.wrong.map((sentence) => sentence.replace(/\.$/, '')).join('; ')
  throw new WrongValueError(`names a file with mistakes, ${path}: ${mistakes}`)
}

function load(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new WrongValueError(
      code === 'ENOENT'
        ? `names a file that is not there: ${path}`
        : `names a file that cannot be read: ${path}, ${code}`,
    )
  }
}

function parse(path: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    // The rest of the message repeats what stands there.
    const place = /\(line \d+ column \d+\)/.exec((error as Error).message)?.[0]
    throw new WrongValueError(`names a file that is not JSON${place ? ` ${place}` : ''}: ${path}`)
  }
}
