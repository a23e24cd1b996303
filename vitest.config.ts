import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { builtPrograms } from './test/_util/run/built-programs.ts'
import { openRunFolder } from './test/_util/run/run-folder.ts'
import { SlowFirst } from './test/_util/run/slow-first.ts'
import { messageMacros } from './web/message-macros.ts'

openRunFolder()

export default defineConfig({
  plugins: [messageMacros(), builtPrograms()],
  test: {
    include: ['src/**/*.test.ts', 'web/src/**/*.test.ts', 'test/**/*.test.ts'],
    // Those have suites of their own: vitest.{e2e,matrix,long}.config.ts.
    exclude: ['**/node_modules/**', 'test/{_util,_fixtures,e2e}/**', '**/*.{matrix,long}.test.ts'],
    globalSetup: ['test/_util/run/global-setup.ts'],
    // The language that tests of words read; and what scripts/asserted.mjs lists.
    setupFiles: [
      'web/src/language/language.ts',
      ...(process.env.ALMANAC_ASSERTED ? ['test/_util/asserted/setup.ts'] : []),
    ],
    // What is waited for comes at once; on a machine that is slow or busy, in its time. Machines of one kind differ by a factor of two.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 20_000 } },
    // Processes that tests start keep what they compile, for the next one.
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/almanac-tests') },
    pool: 'forks',
    // Short-lived objects are collected in fewer, larger steps: some processor time of the whole run.
    execArgv: ['--max-semi-space-size=64'],
    // A file does not load the app anew: that took a third of the whole run. What a file changes for all, it puts back.
    isolate: false,
    // On two cores: one works while others wait for a network that is slow on purpose. More only wait for each other.
    maxWorkers: 3,
    sequence: { sequencer: SlowFirst },
  },
})
