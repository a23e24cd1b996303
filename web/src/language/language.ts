import { i18n, type Messages } from '@lingui/core'

type Part = 'first' | 'later' | 'settings' | 'guests' | 'formal'

/**
 * Languages with catalogs of their own in `web/locales`. English is in the code itself. `first` is for the page and the
 * calendar, `settings` for those alone, `later` all else of members, `guests` for shared calendars, `formal` what is
 * said otherwise there where guests are addressed formally: `scripts/compile-messages.ts` says which words are where.
 */
const CATALOGS: Readonly<Record<string, Readonly<Partial<Record<Part, () => Promise<{ messages: Messages }>>>>>> = {
  de: {
    first: () => import('../../locales/de/first.ts'),
    later: () => import('../../locales/de/later.ts'),
    settings: () => import('../../locales/de/settings.ts'),
    guests: () => import('../../locales/de/guests.ts'),
    formal: () => import('../../locales/de/formal.ts'),
  },
  pseudo: {
    first: () => import('../../locales/pseudo/first.ts'),
    later: () => import('../../locales/pseudo/later.ts'),
    settings: () => import('../../locales/pseudo/settings.ts'),
    guests: () => import('../../locales/pseudo/guests.ts'),
  },
}

/** A language that the dashboard has words in. */
type Language = 'en' | 'de' | 'pseudo'

/** The tag for English in letters that look foreign: it shows which words do not come from a catalog. */
const PSEUDO_TAG = 'en-xa'

// The build puts the English of a screen's messages into its code: `message-macros.ts`.
i18n.load('en', {})
i18n.activate('en')

/** The first of some BCP 47 tags whose language the dashboard has; English when it has none of them. */
export function languageOf(tags: readonly string[]): Language {
  for (const tag of tags.map((each) => each.toLowerCase())) {
    if (tag === PSEUDO_TAG) return 'pseudo'
    const [language = ''] = tag.split('-')
    if (language === 'en' || (language in CATALOGS && language !== 'pseudo')) return language as Language
  }
  return 'en'
}

let wanted: Language = 'en'
/** The words that the page begins with. */
let begun: Promise<unknown> = Promise.resolve()
/** The parts that this page shows words of, from the first on. */
const parts = new Set<Part>()
/** The catalogs that are there. */
const loaded = new Set<string>()
/** What is said over the words of a language where readers are addressed formally. */
const formal = new Map<Language, Messages>()

/**
 * Shows all words in this language from now on. Those of the one before stay until its catalog is there.
 *
 * @param part the words that the page begins with
 */
export async function activateLanguage(language: Language, part: Part = 'first'): Promise<void> {
  wanted = language
  parts.add(part)
  begun = Promise.all([...parts].map((each) => load(language, each)))
  await begun
  if (wanted !== language) return
  // Without a change nothing is drawn again.
  if (i18n.locale !== language) i18n.activate(language)
  document.documentElement.lang = wordsLocale()
}

async function load(language: Language, part: Part): Promise<void> {
  const catalog = `${language}/${part}`
  if (loaded.has(catalog)) return
  const words = await CATALOGS[language]?.[part]?.()
  if (!words || loaded.has(catalog)) return
  loaded.add(catalog)
  if (part === 'formal') formal.set(language, words.messages)
  // What is shown in this language is drawn again. Readers who are addressed formally are so in words that come later, too.
  i18n.load(language, { ...words.messages, ...formal.get(language) })
}

/** Words that the page did not begin with. Without them there is the English of the code: it is no error. */
async function loadMore(part: Part): Promise<void> {
  if (!parts.has('first') && !parts.has('guests')) return
  parts.add(part)
  await load(wanted, part).catch(() => {})
}

/** Addresses the reader formally from now on, in languages that know the difference. Over the words that the page began with. */
export async function addressFormally(): Promise<void> {
  await begun
  await load(wanted, 'formal').catch(() => {})
}

export const loadLaterWords = () => loadMore('later')

/** Code that is loaded when it is needed, with its words, and those of further parts. */
export async function withWords<Code>(code: Promise<Code>, ...more: Part[]): Promise<Code> {
  const [loadedCode] = await Promise.all([code, loadLaterWords(), ...more.map(loadMore)])
  return loadedCode
}

/** The BCP 47 tag of the words that are shown, for what `Intl` adds to sentences. */
export function wordsLocale(): string {
  return i18n.locale === 'pseudo' ? 'en' : i18n.locale
}
