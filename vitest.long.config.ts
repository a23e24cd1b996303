import { globSync, readFileSync } from 'node:fs'
import { defineConfig } from 'vitest/config'
import config from './vitest.config.ts'

/** Files of which `npm test` runs a part; those of networks by what they all share. */
const bounded = globSync('{src,test}/**/*.test.ts', { cwd: import.meta.dirname }).filter((file) =>
  /_util\/run\/whole\.ts'|\/conformance\/index\.ts'/.test(readFileSync(`${import.meta.dirname}/${file}`, 'utf8')),
)

/** Minutes of faults and of load, of which the other suites have a bounded part: `npm run test:long`. */
export default defineConfig({
  ...config,
  test: {
    ...config.test,
    include: ['{src,test}/**/*.long.test.ts', 'test/api/fuzz.error.test.ts', ...bounded],
    exclude: ['**/node_modules/**'],
    env: { ...config.test?.env, ALMANAC_WHOLE: '1', ALMANAC_FUZZ_REQUESTS: '30000' },
    testTimeout: 600_000,
  },
})
