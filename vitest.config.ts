import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'web/src/**/*.test.ts', 'test/**/*.test.ts'],
    // Those of the matrix: vitest.e2e.config.ts.
    exclude: ['**/node_modules/**', 'test/_util/**', 'test/_fixtures/**', '**/*.matrix.test.ts'],
    globalSetup: ['test/_util/global-setup.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Processes that tests start keep what they compile, for the next one.
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/almanac-tests') },
    pool: 'forks',
    // A file does not load the app anew: that took a third of the whole run. What a file changes for all, it puts back.
    isolate: false,
    // Tests bring databases, servers and browsers of their own: more at once only makes them wait for each other.
    maxWorkers: 2,
  },
})
