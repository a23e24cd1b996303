import { defineConfig } from 'vitest/config'
import config from './vitest.config.ts'

/** Minutes of faults and of load, of which `npm test` has a bounded part: `npm run test:long`. */
export default defineConfig({
  test: {
    ...config.test,
    include: ['test/**/*.long.test.ts', 'test/api/fuzz.error.test.ts'],
    env: { ...config.test?.env, ALMANAC_FUZZ_REQUESTS: '30000' },
    testTimeout: 600_000,
    exclude: ['**/node_modules/**'],
  },
})
