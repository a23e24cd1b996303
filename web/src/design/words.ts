/** `MULTI_IMAGE` and `firstComment` as words: "Multi image", "First comment". */
export function words(name: string): string {
  const text = name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase()
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** "1 post", "3 posts". */
export function count(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`
}

/** "A, B and C". */
export function listOf(items: readonly string[]): string {
  return new Intl.ListFormat('en', { type: 'conjunction' }).format(items)
}
