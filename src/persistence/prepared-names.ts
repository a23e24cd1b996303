/** Names of the statements of constant text, by their texts. */
const names = new Map<string, string>()

let named = 0
const newName = () => `almanac_${++named}`

/** From now on connections keep a statement of this text prepared. */
export function keepName(text: string): void {
  if (!names.has(text)) names.set(text, newName())
}

/** The name under which connections keep a statement prepared; undefined for a text that is put together each time. */
export function preparedName(text: string): string | undefined {
  return names.get(text)
}

/** What the name stands for gives other columns since a migration: every connection prepares the text again, under another. */
export function renamePrepared(text: string, name: string): void {
  if (names.get(text) === name) names.set(text, newName())
}
