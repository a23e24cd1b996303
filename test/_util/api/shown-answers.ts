/** What an answer may be different in from the one that is shown: it must be of the same kind. */
const KINDS: readonly RegExp[] = [
  /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
  /^(?!20(30|26-01-01))\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/,
  /^[a-z]+:\/\/\S+$/,
  /^whsec_[A-Za-z0-9+/]{43}=$/,
  // A name that a simulator gives.
  /^[\w-]+\.test$/,
]
/** Numbers that depend on what was there before. */
const VARYING = ['total', 'totalPages', 'bytes', 'bytesReceived', 'bytesTotal']

/**
 * How an answer differs from the one that is shown: in fields, types and values, but for ids, times of now, addresses
 * and counts. Of a list, the shown elements are compared; an empty one has to be empty.
 *
 * @param answer what curl wrote; with status and headers when the shown answer has them
 */
export function differencesOf(shown: { kind: 'json' | 'http'; text: string }, answer: string): string[] {
  if (shown.kind === 'json') return compare(JSON.parse(shown.text), parse(answer), '')
  const [wanted, given] = [split(shown.text), split(answer)]
  const wrong = wanted.status === given.status ? [] : [`status ${given.status} instead of ${wanted.status}`]
  for (const [name, value] of wanted.headers) {
    const found = given.headers.get(name)
    const same = name.startsWith('x-ratelimit-') ? /^\d+$/.test(found ?? '') : found === value
    if (!same) wrong.push(`header ${name}: ${found} instead of ${value}`)
  }
  return wanted.body === '' ? wrong : [...wrong, ...compare(JSON.parse(wanted.body), parse(given.body), '')]
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return `no JSON: ${text}`
  }
}

function split(text: string): { status: string; headers: Map<string, string>; body: string } {
  const [head = '', ...rest] = text.replaceAll('\r', '').split('\n\n')
  const [first = '', ...lines] = head.trim().split('\n')
  const headers = lines.map((line): [string, string] => {
    const [name = '', value = ''] = line.split(/: (.*)/)
    return [name.toLowerCase(), value]
  })
  return { status: first.split(' ')[1] ?? '', headers: new Map(headers), body: rest.join('\n\n').trim() }
}

function compare(shown: unknown, actual: unknown, path: string): string[] {
  const reported = `${path || 'the answer'}: ${JSON.stringify(actual)} instead of ${JSON.stringify(shown)}`
  if (Array.isArray(shown)) {
    if (!Array.isArray(actual) || actual.length < shown.length || (shown.length === 0 && actual.length > 0)) {
      return [reported]
    }
    return shown.flatMap((element, index) => compare(element, actual[index], `${path}[${index}]`))
  }
  if (isObject(shown)) {
    if (!isObject(actual)) return [reported]
    const names = new Set([...Object.keys(shown), ...Object.keys(actual)])
    return [...names].flatMap((name) => {
      const place = path === '' ? name : `${path}.${name}`
      if (!Object.hasOwn(shown, name)) return [`${place} is not shown`]
      if (!Object.hasOwn(actual, name)) return [`${place} is not answered`]
      if (VARYING.includes(name) && typeof shown[name] === 'number') {
        return typeof actual[name] === 'number' ? [] : [`${place} is no number`]
      }
      return compare(shown[name], actual[name], place)
    })
  }
  if (typeof shown === 'string' && typeof actual === 'string') {
    const kind = KINDS.find((pattern) => pattern.test(shown))
    if (kind) return kind.test(actual) ? [] : [reported]
  }
  return shown === actual ? [] : [reported]
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
