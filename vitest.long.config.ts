import { defineConfig } from 'vitest/config'
import config from './vitest.config.ts'

/** Minutes of faults and of load, of which `npm test` has a bounded part: `npm run test:long`. */
export default defineConfig({
  test: {
    ...config.test,
    include: ['test/**/*.long.test.ts'],
    exclude: ['**/node_modules/**'],
  },
})
