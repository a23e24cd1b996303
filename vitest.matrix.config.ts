import { defineConfig } from 'vitest/config'
import ways from './vitest.e2e.config.ts'

/** Every screen of the dashboard in every form that it has: `npm run test:matrix`. */
export default defineConfig({
  ...ways,
  test: {
    ...ways.test,
    include: ['test/**/*.matrix.test.ts', 'test/e2e/dashboard/accessibility.test.ts'],
    exclude: ['**/node_modules/**'],
    env: { ...ways.test?.env, ALMANAC_WHOLE: '1' },
  },
})
