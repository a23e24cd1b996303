import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'
import { configOf } from './vite.config.ts'

/**
 * The guests' page, built into the same folder after that of members. A build of its own: no file of its first load holds
 * anything that only members need.
 */
export default defineConfig(
  configOf({
    emptyOutDir: false,
    rolldownOptions: { input: fileURLToPath(new URL('shared.html', import.meta.url)) },
  }),
)
