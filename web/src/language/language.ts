import { i18n, type Messages } from '@lingui/core'

/** Languages with a catalog of their own in `web/locales`. English is in the code itself. */
const CATALOGS: Readonly<Record<string, () => Promise<{ messages: Messages }>>> = {
  de: () => import('../../locales/de.ts'),
  pseudo: () => import('../../locales/pseudo.ts'),
}

/** A language that the dashboard has words in. */
export type Language = 'en' | 'de' | 'pseudo'

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

/** Shows all words in this language from now on. Those of the one before stay until its catalog is there. */
export async function activateLanguage(language: Language): Promise<void> {
  wanted = language
  const catalog = await CATALOGS[language]?.()
  if (wanted !== language) return
  if (catalog) i18n.load(language, catalog.messages)
  // Without a change nothing is drawn again.
  if (i18n.locale !== language) i18n.activate(language)
  document.documentElement.lang = wordsLocale()
}

let wanted: Language = 'en'

/** The BCP 47 tag of the words that are shown, for what `Intl` adds to sentences. */
export function wordsLocale(): string {
  return i18n.locale === 'pseudo' ? 'en' : i18n.locale
}
