import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Files that take half a minute or more, the longest first. Where no run was before, as in a fresh clone, Vitest goes by the sizes
 * of files, and would begin a small one that takes long when all others are done.
 */
const SLOW = [
  'api/reported-cases',
  'e2e/dashboard/accessibility',
  'e2e/dashboard/connections.matrix',
  'e2e/dashboard/states.matrix',
  'engine/crash',
  'cli/backup',
  'e2e/dashboard/undo.matrix',
  'e2e/dashboard/speed.matrix',
  'e2e/all-networks',
  'e2e/dashboard/api-keys.matrix',
  'cli/upgrade',
  'e2e/dashboard/composer',
  'cli/up',
  'cli/processes',
]

const placeOf = ({ moduleId }: TestSpecification) => {
  const place = SLOW.findIndex((name) => moduleId.includes(`test/${name}.`))
  return place === -1 ? SLOW.length : place
}

export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((a, b) => placeOf(a) - placeOf(b))
  }
}
