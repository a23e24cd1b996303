import { defineConfig } from 'vitest/config'
import config from './vitest.config.ts'

/** The ways that people and programs go, most of them in a browser, a path through each screen: `npm run test:e2e`. */
export default defineConfig({
  ...config,
  test: {
    ...config.test,
    include: ['test/e2e/**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/*.{matrix,long}.test.ts'],
    testTimeout: 120_000,
    // Processes that run tests end the server and the browser that their files shared.
    teardownTimeout: 60_000,
  },
})
