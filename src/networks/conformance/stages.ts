import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import type { Stage } from '../kit/testing.ts'

/** The stage of the test that runs: one for each test of a file, or one for all of them. */
export function stageFor(tests: 'each' | 'all', open: () => Promise<Stage>): Stage {
  const [before, after] = tests === 'each' ? [beforeEach, afterEach] : [beforeAll, afterAll]
  let stage: Stage
  before(async () => {
    stage = await open()
  })
  after(() => stage?.close())
  return new Proxy({} as Stage, {
    get: (_, name) => Reflect.get(stage, name),
    set: (_, name, value) => Reflect.set(stage, name, value),
  })
}
