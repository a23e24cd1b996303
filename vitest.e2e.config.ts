import { defineConfig } from 'vitest/config'
import config from './vitest.config.ts'

/** Every screen of the dashboard in every form that it has, and what else takes long: `npm run test:e2e`. */
export default defineConfig({
  test: {
    ...config.test,
    include: ['test/**/*.matrix.test.ts'],
    exclude: ['**/node_modules/**'],
    testTimeout: 120_000,
    // Processes that run tests end the server and the browser that their files shared.
    teardownTimeout: 60_000,
  },
})
