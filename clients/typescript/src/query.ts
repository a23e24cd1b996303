/**
 * The query string of parameters: `{ filters: { status: ['DRAFT'] }, page: 2 }` is `?filters[status][]=DRAFT&page=2`, in the order of
 * the fields. Fields that are undefined are left out.
 */
export function queryString(query: object | undefined): string {
  const pairs = Object.entries(query ?? {}).flatMap(([name, value]) => pairsOf(name, value))
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`
}

function pairsOf(name: string, value: unknown): [string, string][] {
  if (value === undefined || value === null) return []
  if (Array.isArray(value)) return value.map((each) => [`${name}[]`, String(each)])
  if (value instanceof Date) return [[name, value.toISOString()]]
  if (typeof value === 'object') {
    return Object.entries(value).flatMap(([inner, each]) => pairsOf(`${name}[${inner}]`, each))
  }
  return [[name, String(value)]]
}
