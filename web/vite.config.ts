import { join } from 'node:path'
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

/** The screen that most begin with comes with the first files, not in a second round. */
const PAGE = join(root, 'src/app/main.tsx')
const SCREEN = join(root, 'src/calendar/calendar-page.tsx')

interface Graph {
  getModuleInfo(id: string): { importedIds: readonly string[] } | null
}

/**
 * What is imported by the page and its first screen comes in two files and a style sheet: on a line with a delay, eighty small
 * ones take longer than the kilobytes that other screens load too much.
 */
function firstFiles() {
  let first: ReadonlySet<string> | undefined
  const within = (wanted: RegExp, name: string) => (id: string, graph: Graph) => {
    first ??= reachedFrom([PAGE, SCREEN], graph)
    return id !== PAGE && first.has(id) && wanted.test(id) ? name : null
  }
  return [
    { debugName: 'libraries', name: within(/node_modules.*\.m?js$/, 'libraries'), priority: 2 },
    { debugName: 'first', name: within(/./, 'first'), priority: 1 },
  ]
}

/** All that is imported, but for what is loaded later. */
function reachedFrom(roots: readonly string[], graph: Graph): Set<string> {
  const reached = new Set(roots)
  for (const id of reached) for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) reached.add(imported)
  return reached
}

export default defineConfig(
  configOf({
    emptyOutDir: true,
    manifest: true,
    rolldownOptions: { output: { codeSplitting: { groups: firstFiles() } } },
  }),
)
