import { execFileSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { VitestPluginContext } from 'vitest/node'

const projectDir = join(import.meta.dirname, '../../..')
/** How rooms name programs of theirs; `scripts/build-server.mjs` builds what is named so. */
const STARTED = /new URL\('\.\/([\w-]+-program)\.ts', import\.meta\.url\)/g

/**
 * For Vitest: what rooms of `src` start as a process of its own, for a picture or a calendar of others, is the program as it is
 * built, and so are its threads. From their sources they take up to five times the processor time, in thousands of tests.
 */
export function builtPrograms() {
  let folder: string | undefined
  const starts = (id: string, code: string) =>
    id.startsWith(join(projectDir, 'src/')) && !id.endsWith('.test.ts') && code.includes('-program.ts')
  return {
    name: 'almanac-built-programs',
    enforce: 'pre' as const,
    // Vitest keeps what it has transformed, and builds of before are removed: what names one is not kept.
    configureVitest({ defineCacheKeyGenerator }: Pick<VitestPluginContext, 'defineCacheKeyGenerator'>) {
      defineCacheKeyGenerator(({ id, sourceCode }) => (starts(id, sourceCode) ? false : undefined))
    },
    transform(code: string, id: string) {
      if (!starts(id, code)) return null
      const script = join(projectDir, 'scripts/build-server.mjs')
      folder ??= dirname(execFileSync(process.execPath, [script], { encoding: 'utf8' }).trim())
      const built = (name: string) => JSON.stringify(pathToFileURL(join(folder ?? '', `${name}.js`)).href)
      // No line moves.
      return { code: code.replaceAll(STARTED, (_, name) => `new URL(${built(name)})`), map: null }
    },
  }
}
