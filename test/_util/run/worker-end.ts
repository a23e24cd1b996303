import { test } from 'vitest'

/** What ends with the process that runs tests, the last first: files of tests share it, one after the other. */
const ends: (() => Promise<unknown>)[] = []

// biome-ignore lint/correctness/noEmptyPattern: Vitest reads from it what a fixture needs
const scope = test.extend('workersEnd', { scope: 'worker' }, async ({}, { onCleanup }) => {
  onCleanup(async () => {
    for (const end of ends.splice(0).toReversed()) await end()
  })
  return ends
})

/** For a file of tests, on its top level: what it or a file before it kept by `untilWorkersEnd` will be ended. */
export function endsWithWorker(): void {
  scope.beforeAll(({ workersEnd }) => void workersEnd)
}

/** Keeps something for the files that follow, until their process ends. Their files call `endsWithWorker`. */
export function untilWorkersEnd(end: () => Promise<unknown>): void {
  ends.push(end)
}

let gone: string[] = []

/** For what ended before its time: the test that runs then fails with these words too, see `testBrowser`. */
export function reportGone(words: string): void {
  gone.push(words)
}

/** What was reported since this was asked last. */
export function takeGone(): string[] {
  const reported = gone
  gone = []
  return reported
}
