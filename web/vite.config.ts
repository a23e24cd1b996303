import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig, type UserConfig } from 'vite'
import { messageMacros } from './message-macros.ts'

const root = fileURLToPath(new URL('.', import.meta.url))

type Build = NonNullable<UserConfig['build']>

/** What the pages of members and those of guests (`vite.shared.config.ts`) are built with alike. */
export function configOf(build: Build): UserConfig {
  return {
    root,
    // The pages may lie below any path: files find each other by where they are themselves.
    base: './',
    plugins: [messageMacros(), react()],
    build: {
      outDir: 'dist',
      // Browsers of the last two and a half years, all with top-level await.
      target: 'baseline-widely-available',
      // Of the same time: what these know, such as light-dark(), stays as it is written.
      cssTarget: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
      assetsDir: 'assets',
      // The security policy refuses scripts, styles and pictures in data: addresses.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      chunkSizeWarningLimit: 1_000,
      ...build,
    },
  }
}

export default defineConfig(
  configOf({
    emptyOutDir: true,
    manifest: true,
    rolldownOptions: {
      output: {
        codeSplitting: {
          // What nearly every screen needs comes in two files, not in fifty: less in all, and fewer requests. Lower numbers
          // bring in what the first screen does without. No file here brings style sheets along.
          groups: [
            { name: 'libraries', test: /node_modules.*\.m?js$/, minShareCount: 12 },
            { name: 'base', test: /web\/src\/(api|time|frame)\//, minShareCount: 8 },
          ],
        },
      },
    },
  }),
)
