import { wordsLocale } from '../language/language.ts'

/** `MULTI_IMAGE` and `firstComment` as words: "Multi image", "First comment". */
export function words(name: string): string {
  const text = name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase()
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** "A, B and C". */
export function listOf(items: readonly string[]): string {
  return new Intl.ListFormat(wordsLocale(), { type: 'conjunction' }).format(items)
}
