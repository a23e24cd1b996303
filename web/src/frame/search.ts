// What follows the question mark of an address. Values are texts as they are: an id of digits stays an id.

/** Reads the part of an address behind the question mark. Of a repeated name the last value counts. */
export function parseSearch(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text))
}

/** The opposite: leaves out what has no value. */
export function stringifySearch(search: Record<string, unknown>): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(search)) {
    if (value !== undefined && value !== null && value !== '') parameters.set(name, String(value))
  }
  const text = parameters.toString()
  return text === '' ? '' : `?${text}`
}

/** A reader of these names, each optional. What has no text as its value counts as absent; other names are dropped. */
export function optionalTexts<const Name extends string>(...names: Name[]) {
  return (search: Record<string, unknown>): { [name in Name]?: string } => {
    const found: { [name in Name]?: string } = {}
    for (const name of names) {
      const value = search[name]
      if (typeof value === 'string' && value !== '') found[name] = value
    }
    return found
  }
}

/** The search with some values changed; undefined takes a name out. */
export function changedSearch<S extends object>(search: S, change: { [Name in keyof S]?: S[Name] | undefined }): S {
  const entries = Object.entries({ ...search, ...change }).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) as S
}
