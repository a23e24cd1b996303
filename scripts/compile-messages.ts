// node scripts/compile-messages.ts: compiles the catalogs of words; a part of `npm run messages`.
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join, normalize, relative } from 'node:path'
import { createCompiledCatalog, getCatalogs } from '@lingui/cli/api'
import { getConfig } from '@lingui/conf'
import { formatter } from '@lingui/format-po'

const root = join(import.meta.dirname, '..')

/** What the page and the calendar begin with: the files that load others at once, or with `lazy` alone. */
const FIRST_SCREEN = [
  'web/src/app/main.tsx',
  'web/src/app/reconnect-line.tsx',
  'web/src/calendar/calendar-page.tsx',
  'web/src/calendar/agenda-view.tsx',
  'web/src/failures/failures-line.tsx',
  'web/src/holds/hold-lines.tsx',
  'web/src/post-set/unsaved-line.tsx',
]
const GUESTS = ['web/src/shared/main.tsx']
/** German that says “Sie”, for guests of those who want that: words that differ from the catalog beside it. */
const FORMAL = {
  'web/locales/de-formal.po': 'web/locales/de/formal.ts',
  'src/news/locales/de-formal.po': 'src/news/locales/de-formal.ts',
}
/** Screens below one that loads their words. */
const SETTINGS = 'web/src/settings/'
/** The words by which pages say what the server means by its codes. */
const SERVER_CODES = /^src\/contract\//

type Words = Record<string, string>
/** Messages as a catalog has them, with the files that they come from. */
type Read = Readonly<Record<string, { origin?: readonly (readonly [string, number?])[] }>>

/**
 * All catalogs as modules: those of mails whole; those of the dashboard, whose English stands in its code, in the parts that pages
 * load; what differs where guests are addressed formally. `first` is for the page and the calendar, `settings` for those alone, `later` all else of members, `guests` for shared calendars.
 *
 * @returns their texts by their paths in the project
 */
export async function compileCatalogs(): Promise<Map<string, string>> {
  const config = getConfig({ cwd: root, configPath: join(root, 'lingui.config.js') })
  const modules = new Map<string, string>()
  for (const catalog of await getCatalogs(config)) {
    const path = relative(root, catalog.path)
    for (const locale of config.locales) {
      const { messages } = await catalog.getTranslations(locale, {
        fallbackLocales: config.fallbackLocales,
        sourceLocale: config.sourceLocale ?? 'en',
      } as Parameters<typeof catalog.getTranslations>[1])
      const compile = (words: Words) => compileWords(locale, words, path)
      const base = path.replace('{locale}', locale)
      if (!path.startsWith('web/')) modules.set(`${base}.ts`, compile(messages))
      else if (locale !== config.sourceLocale) {
        const parts = partsOf(messages, ((await catalog.read(locale)) ?? {}) as Read)
        for (const [part, words] of Object.entries(parts)) modules.set(`${base}/${part}.ts`, compile(words))
      }
    }
  }
  for (const [path, target] of Object.entries(FORMAL)) {
    const words = Object.entries(await readFormal(path as keyof typeof FORMAL)).map(([id, { translation = '' }]) => [
      id,
      translation,
    ])
    modules.set(target, compileWords('de', Object.fromEntries(words), path))
  }
  return modules
}

/** Words that are said formally, by the ids of the catalog beside them. */
export const readFormal = async (path: keyof typeof FORMAL) =>
  formatter().parse(readFileSync(join(root, path), 'utf8'), { locale: 'de', sourceLocale: 'en', filename: path })

function compileWords(locale: string, words: Words, path: string): string {
  const { source, errors } = createCompiledCatalog(locale, words, { namespace: 'ts', pseudoLocale: 'pseudo' })
  if (errors.length > 0) throw new AggregateError(errors, `The words of ${path} in ${locale} cannot be compiled.`)
  return source
}

function partsOf(messages: Words, read: Read): Record<'first' | 'later' | 'settings' | 'guests', Words> {
  const ofFirst = reachedFrom(FIRST_SCREEN, { later: false })
  const ofGuests = reachedFrom(GUESTS, { later: true })
  const select = (wanted: (files: readonly string[]) => boolean) =>
    Object.fromEntries(Object.entries(messages).filter(([id]) => wanted(filesOf(read, id))))
  const isFirst = (files: readonly string[]) => files.some((path) => ofFirst.has(path))
  const isOfSettings = (files: readonly string[]) =>
    !isFirst(files) && files.length > 0 && files.every((path) => path.startsWith(SETTINGS))
  return {
    first: select(isFirst),
    later: select((files) => !isFirst(files) && !isOfSettings(files)),
    settings: select(isOfSettings),
    guests: select((files) => files.some((path) => ofGuests.has(path) || SERVER_CODES.test(path))),
  }
}

const filesOf = (read: Read, id: string) => (read[id]?.origin ?? []).map(([path]) => path)

/** The files that these import, and so on; with `later` also what they load when it is needed. Paths in the project. */
export function reachedFrom(files: readonly string[], { later }: { later: boolean }): ReadonlySet<string> {
  const imported = /(?:^|\n)(?:import|export)\s(?!type\b)[^'"(]*?['"](\.[^'"]+)['"]|import\(\s*['"](\.[^'"]+)['"]/g
  const reached = new Set(files)
  for (const path of reached) {
    const text = readFileSync(join(root, path), 'utf8')
    for (const [, atOnce, whenNeeded] of text.matchAll(imported)) {
      const target = later ? (atOnce ?? whenNeeded) : atOnce
      if (!target) continue
      const file = normalize(join(dirname(path), target))
      if (/\.tsx?$/.test(file) && existsSync(join(root, file))) reached.add(file)
    }
  }
  return reached
}

if (import.meta.main) {
  for (const [path, source] of await compileCatalogs()) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), source)
  }
}
