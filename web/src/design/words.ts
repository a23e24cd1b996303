import { wordsLocale } from '../language/language.ts'

/** `MULTI_IMAGE` and `firstComment` as words: "Multi image", "First comment". */
export function words(name: string): string {
  const text = name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase()
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** What others wrote, such as a network, with the full stop that it may lack: another sentence can follow. */
export function asSentence(text: string): string {
  return /[\p{Sentence_Terminal}…][\p{Pe}\p{Pf}"']*\s*$/u.test(text) ? text : `${text.trimEnd()}.`
}

/** "A, B and C". */
export function listOf(items: readonly string[]): string {
  return new Intl.ListFormat(wordsLocale(), { type: 'conjunction' }).format(items)
}
