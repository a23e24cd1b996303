import { relative } from 'node:path'
import { afterEach, expect } from 'vitest'
import { recordAnswers, recorder } from './record-answers.ts'

// Runs before each file of tests while ALMANAC_ASSERTED names a folder; the process and what it has recorded stay.

interface Recording {
  passed(test: unknown): void
}

const root = process.cwd()
const own = globalThis as { almanacAsserted?: Recording }
own.almanacAsserted ??= begin(process.env.ALMANAC_ASSERTED ?? '')

afterEach(({ task }) => {
  if (task.result?.state !== 'fail' && task.mode !== 'skip')
    own.almanacAsserted?.passed([relative(root, task.file.filepath), titlesOf(task)])
})

function begin(folder: string): Recording {
  recordAnswers(folder, () => {
    const { testPath, currentTestName } = expect.getState()
    return { file: relative(root, testPath ?? ''), title: currentTestName?.split(' > ') ?? [] }
  })
  return { passed: recorder(folder, 'tests') }
}

/** Of the describe blocks around a test, and its own. */
function titlesOf(task: { name: string; suite?: Parameters<typeof titlesOf>[0] | undefined }): string[] {
  return [...(task.suite ? titlesOf(task.suite) : []), task.name]
}
