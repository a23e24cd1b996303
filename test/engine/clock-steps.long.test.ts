import { test } from 'vitest'
import { DAY, HOUR, MINUTE, playClockStep, SECOND } from '../_util/engine/clock-steps.ts'
import { scriptedEngines } from '../_util/engine/scripted-engine.ts'

/** Every clock that jumps, by how far and for how long, with the posts of a whole day. */

const startEngine = scriptedEngines()
const CLOCKS = ['the database', 'the worker', 'both'] as const

test.each(
  CLOCKS.flatMap((clock) =>
    [DAY, HOUR].flatMap((stepMs) => [3 * SECOND, 5 * MINUTE].map((lengthMs) => ({ clock, stepMs, lengthMs }))),
  ),
)(
  'the clock of $clock $stepMs ms ahead for $lengthMs ms, over a day',
  (step) => playClockStep(startEngine, step, 48),
  120_000,
)
