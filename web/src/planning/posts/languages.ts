import { i18n } from '@lingui/core'

/** Languages that people write posts in, by their BCP 47 tags. */
const TAGS =
  'af am ar az be bg bn bs ca cs cy da de de-AT de-CH el en en-GB en-US es es-MX et eu fa fi fil fr fr-CA ga gl gu he hi hr hu hy id is it ja ka kk km kn ko lo lt lv mk ml mn mr ms my nb ne nl nn pa pl pt pt-BR ro ru si sk sl sq sr sv sw ta te th tr uk ur uz vi zh zh-Hans zh-Hant zu'

/** Languages by their names in the language of the page, in the order of these; with one that is chosen already. */
export function languageChoices(chosen: string | null): { value: string; title: string }[] {
  const locale = i18n.locale === 'pseudo' ? 'en' : i18n.locale
  const names = new Intl.DisplayNames(locale, { type: 'language' })
  const tags = new Set([...TAGS.split(' '), ...(chosen ? [chosen] : [])])
  return [...tags]
    .map((value) => ({ value, title: names.of(value) ?? value }))
    .sort((a, b) => a.title.localeCompare(b.title, locale))
}
