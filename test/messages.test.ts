import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { getCatalogs } from '@lingui/cli/api'
import { getConfig } from '@lingui/conf'
import { beforeAll, describe, expect, test } from 'vitest'
import { accountTypeEntry, accountTypes } from '#contract'
import { defaultsOf, loadManifests } from '#networks'
import { compileCatalogs, reachedFrom, readFormal } from '../scripts/compile-messages.ts'

/** The catalogs of words, of the dashboard and of mails: what `npm run messages` would write now, and each language in full. */

const root = join(import.meta.dirname, '..')
const config = getConfig({ cwd: root, configPath: join(root, 'lingui.config.js') })
/** Languages with words of their own; English is in the code, the pseudo-locale is made from it. */
const TRANSLATED = ['de']

type Catalog = Awaited<ReturnType<typeof getCatalogs>>[number]
type Messages = Record<string, { message?: string; translation?: string }>
const FOLDERS = ['web/locales', 'src/news/locales']
const catalogs = new Map<string, { catalog: Catalog; extracted: Messages }>()

beforeAll(async () => {
  for (const catalog of await getCatalogs(config)) {
    const folder = FOLDERS.find((name) => catalog.path.includes(name))
    if (!folder) throw new Error(`${catalog.path} is not looked at.`)
    catalogs.set(folder, { catalog, extracted: (await catalog.collect()) ?? {} })
  }
}, 120_000)

function of(folder: string) {
  const found = catalogs.get(folder)
  if (!found) throw new Error(`lingui.config.js names no catalog in ${folder}.`)
  const { catalog, extracted } = found
  return {
    ...found,
    read: async (locale: string): Promise<Messages> => (await catalog.read(locale)) ?? {},
    textOf: (id: string) => extracted[id]?.message ?? id,
  }
}

test.each([
  ['web/locales', ['Sign in', 'The post set is locked in the product']],
  ['src/news/locales', ['Choose what you get']],
])('the extraction for %s finds words of screens and of the server', (folder, words) => {
  expect(Object.values(of(folder).extracted).map(({ message }) => message)).toEqual(expect.arrayContaining(words))
})

const LOCALES = FOLDERS.flatMap((folder) => ['en', 'pseudo', ...TRANSLATED].map((locale) => [folder, locale] as const))

describe.each(LOCALES)('%s, %s', (folder, locale) => {
  test('the catalog has the messages of the code, no more and no less (npm run messages)', async () => {
    const { read, extracted } = of(folder)
    expect(Object.keys(await read(locale)).toSorted()).toEqual(Object.keys(extracted).toSorted())
  })
})

test('the compiled catalogs are those of the messages (npm run messages)', async () => {
  const compiled = await compileCatalogs()
  for (const [path, source] of compiled) expect(readFileSync(join(root, path), 'utf8'), path).toBe(source)
  const written = FOLDERS.flatMap((folder) => globSync(`${folder}/**/*.ts`, { cwd: root }))
  expect(written.toSorted()).toEqual([...compiled.keys()].toSorted())
})

/** Words of the familiar address, and orders that it gives. */
const FAMILIAR =
  /(?<!\p{L})([Dd](u|ir|ich|ein\p{L}*)|[Gg]ib|[Nn]imm|Schreibe?|Wähle|Warte|Versuche|Prüfe|Lies|Lade|Sieh|Öffne|Bestätige|Drücke?|Folge|Frage?|Klicke?|Tippe?|Lass|Suche?|Nutze?|Melde?|Entferne|Füge?|Schau|Trage?|Setze?|Mache?|Gehe?|Kopiere|Speichere|Ändere|Lösche|Ziehe?|Beginne|Halte?|Ruf|Bitte (die|den|das))(?!\p{L})/u
/** Words of the formal address. */
const FORMAL = /(?<!\p{L})(Sie|Ihnen|Ihre\p{L}*|Ihr)(?!\p{L})/u

/** What guests cannot be told: it is about members. */
const OF_MEMBERS =
  /^(auth|invitation|imported-calendar|kept-draft|role|right):|^why:(?!no_mail_here|nothing_to_undo)|^(media|post|option|setting|sign-in)/

test('where guests are addressed formally, nothing says “du” to them', async () => {
  const formal = await readFormal('web/locales/de-formal.po')
  const german = Object.entries(await of('web/locales').read('de')) as [
    string,
    { origin?: [string][]; translation?: string },
  ][]
  const shown = reachedFrom(['web/src/shared/main.tsx'], { later: true })
  const ofGuests = german.filter(([id, { origin = [] }]) =>
    origin.some(([path]) => shown.has(path) || (path.startsWith('src/contract/') && !OF_MEMBERS.test(id))),
  )
  const familiar = ofGuests.filter(([id, { translation = '' }]) =>
    FAMILIAR.test(formal[id]?.translation ?? translation),
  )
  expect(familiar.map(([, { translation }]) => translation)).toEqual([])
  const gone = Object.keys(formal).filter((id) => !german.some(([other]) => other === id))
  expect(gone).toEqual([])
  for (const { translation = '' } of Object.values(formal)) expect(translation).not.toMatch(FAMILIAR)
})

test('mails to guests who are addressed formally, and their pages, do not say “du” either', async () => {
  const formal = await readFormal('src/news/locales/de-formal.po')
  const { read } = of('src/news/locales')
  const german = (await read('de')) as Record<string, { translation?: string }>
  expect(Object.keys(formal).filter((id) => !(id in german))).toEqual([])
  const toGuests = ['REVIEW_REQUESTED', 'REVIEW_REMINDER'].flatMap((kind) => [
    `subject:${kind}`,
    `head:${kind}`,
    `about:${kind}`,
  ])
  const all = [...toGuests, 'footer:guest', 'footer:unsubscribe', ...guestMailsAndPages(Object.keys(german))]
  expect(all.length).toBeGreaterThan(30)
  for (const id of all) expect(formal[id]?.translation ?? german[id]?.translation, id).not.toMatch(FAMILIAR)
})

/** Ids of the mails that confirm addresses of guests, and of the pages that guests get without a sign-in. */
const guestMailsAndPages = (ids: readonly string[]) =>
  ids.filter((id) => /^(guest-email|shared|unsubscribe):/.test(id) && !OF_MAILS_TO_MEMBERS.includes(id))
const OF_MAILS_TO_MEMBERS = ['unsubscribe:question', 'unsubscribe:about-brand']

test('pages that do not know who reads them address no one, in German', async () => {
  const german = (await of('src/news/locales').read('de')) as Record<string, { translation?: string }>
  const toAnyone = ['over', 'too-many-seconds', 'too-many-minutes', 'crowded', 'full', 'nothing']
    .flatMap((id) => [`shared:${id}`, `shared:${id}-title`])
    .filter((id) => id in german)
  for (const id of [...toAnyone, 'unsubscribe:over', 'unsubscribe:over-title']) {
    expect(german[id]?.translation, id).not.toMatch(FAMILIAR)
    expect(german[id]?.translation, id).not.toMatch(FORMAL)
  }
})

test('in German, the dots of a command stand apart from its last word', async () => {
  const german = (await of('web/locales').read('de')) as Record<string, { translation?: string }>
  const together = Object.values(german).filter(({ translation = '' }) => /\p{L}…$/u.test(translation))
  expect(together).toEqual([])
})

test('what members load when it is needed comes with its words', async () => {
  const first = readFileSync(join(root, 'web/locales/de/first.ts'), 'utf8')
  const messages = Object.entries(await of('web/locales').read('de')) as [string, { origin?: [string][] }][]
  const later = messages.filter(([id]) => !first.includes(`\\"${id}\\":`))
  expect(later.length).toBeGreaterThan(1_000)
  const files = globSync('web/src/**/*.{ts,tsx}', { cwd: root, exclude: ['web/src/shared/**', '**/*.test.*'] })
  const loads = files.flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(/(\w+ ?\(?)(?:\(\) =>\s*)?import\(\s*'(\.[^']+\.tsx?)'/g)].map(
      ([, by = '', target = '']) => ({ file, by: by.trim(), target: join(dirname(file), target) }),
    ),
  )
  expect(loads.length).toBeGreaterThan(40)
  const without = loads
    .filter(({ by, target }) => !/^(withWords|lazyWithWords|screen)\($/.test(by) && !target.startsWith('web/locales/'))
    .map(({ file, target }) => {
      const reached = reachedFrom([target], { later: false })
      return { file, target, words: later.filter(([, { origin }]) => origin?.some(([path]) => reached.has(path))) }
    })
  expect(without.filter(({ words }) => words.length > 0)).toEqual([])
})

test.each(FOLDERS)('the English of %s is that of the code (npm run messages)', async (folder) => {
  const { read, textOf } = of(folder)
  const other = Object.entries(await read('en')).filter(([id, { translation }]) => translation !== textOf(id))
  expect(other.map(([id]) => id)).toEqual([])
})

const TRANSLATIONS = LOCALES.filter(([, locale]) => TRANSLATED.includes(locale))

describe.each(TRANSLATIONS)('the words of %s, %s', (folder, locale) => {
  test('none is missing', async () => {
    const { read, textOf } = of(folder)
    const empty = Object.entries(await read(locale)).filter(([, { translation }]) => !translation?.trim())
    expect(empty.map(([id]) => textOf(id))).toEqual([])
  })

  test('each has the values and the elements of the English', async () => {
    const { read, textOf } = of(folder)
    const wrong = Object.entries(await read(locale)).flatMap(([id, { translation = '' }]) => {
      const [english, own] = [placesOf(textOf(id)), placesOf(translation)]
      return english === own ? [] : [`${textOf(id)} → ${translation}: ${english} is not ${own}`]
    })
    expect(wrong).toEqual([])
  })
})

describe('what networks declare', () => {
  test('each publishing default has a name, a meaning and names of its values in the catalogs', async () => {
    const manifests = await loadManifests()
    const wanted = manifests.flatMap((manifest) =>
      manifest.accountTypes.flatMap((accountType) =>
        defaultsOf(manifest, accountType).flatMap(({ name, schema }) => {
          const id = `option:${accountType}:${name}`
          const { enum: values = [] } = schema as { enum?: readonly string[] }
          return [id, `${id}:description`, ...values.map((value) => `${id}:${value}`)]
        }),
      ),
    )
    expect(wanted).toContain('option:TIKTOK:privacy:SELF_ONLY')
    const { extracted } = of('web/locales')
    expect(wanted.filter((id) => extracted[id] === undefined)).toEqual([])
  })

  test('each value that the API lists for a field of posts has a name', () => {
    const schemas = accountTypes.flatMap((type) => Object.values(accountTypeEntry(type).fields)).map((of) => of.schema)
    const values = schemas.flatMap((schema) => ('enum' in schema ? (schema.enum as string[]) : []))
    expect(values).toEqual(expect.arrayContaining(['REEL', 'LEARN_MORE', 'UNLISTED']))
    // The code of the dashboard is compiled for browsers alone: what has words there is read from its text.
    const files = ['field-words.ts', 'kind-words.ts'].map((file) => join(root, 'web/src/planning/posts', file))
    const code = files.map((file) => readFileSync(file, 'utf8')).join('\n')
    const named = [...code.matchAll(/^ {2}([A-Z_]+): msg`/gm)].map(([, value]) => value)
    expect(values.filter((value) => !named.includes(value))).toEqual([])
  })
})

/** `0 name <0> </0>`: values and elements of a message, each once. */
function placesOf(message: string): string {
  const found = message.matchAll(/\{(\w+)(?=[,}])|<\/?\d+\/?>/g)
  return [...new Set([...found].map(([all, name]) => name ?? all))].toSorted().join(' ')
}
