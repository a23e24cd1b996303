import { record } from './read-json.ts'

/**
 * The shape of an answer, by paths: `{ data: 'list of 2', 'data[].id': 'string', 'data[].is_ads_only': 'false' }`. Entries of
 * a list are read as one. It holds no texts and no ids: what it shows of values are booleans, the network's own words under
 * keys such as `privacy_level_options` and `scope`, and amounts under keys such as `expires_in`.
 */
export type Shape = Readonly<Record<string, string>>

/** So much of an answer is described; networks answer with far less. */
const MOST = { paths: 300, depth: 10, entries: 50 }

/** Keys whose values say nothing of a person: amounts, words of the network, and words in capitals. */
const NUMBERS = /expire|quota|limit|total|usage|duration|remaining|reset|max_|_max|count|size/i
const TEXTS = /^(scopes?|permissions?|status_code|token_type|kind|\w*type|\w*status)$/i
const KINDS = /type|status|state$|role|privacy|level|options|tasks|reason|visibility/i
/** Keys whose values are never shown, whatever they look like. */
const OWN = /name|title|text|message|caption|description|summary|token$|secret|jwt|address|code$|(^|_)id$/i
const CAPITALS = /^[A-Z][A-Z0-9_]{3,60}$/
const PLAIN = /^[\w .,:/-]{1,600}$/

/** The shape of the body of an answer; empty for one that is no JSON. `mask` is put over keys and values. */
export function shapeOf(body: unknown, mask: (text: string) => string = (text) => text): Shape {
  const shape = new Map<string, Set<string>>()
  const note = (path: string, what: string) => {
    const known = shape.get(path)
    if (known) known.add(what)
    else if (shape.size < MOST.paths) shape.set(path, new Set([what]))
  }
  const visit = (value: unknown, path: string, key: string, depth: number) => {
    if (Array.isArray(value)) {
      note(path, `list of ${value.length}`)
      if (depth < MOST.depth) for (const each of value.slice(0, MOST.entries)) visit(each, `${path}[]`, key, depth + 1)
      return
    }
    const object = record(value)
    if (!object) return note(path, mask(describe(value, key)))
    if (path !== '') note(path, 'object')
    if (depth >= MOST.depth) return
    for (const [name, part] of Object.entries(object)) {
      // A word is a key of the network's, also when an account has the same name.
      const shown = /^[A-Za-z_$]+$/.test(name) ? name : mask(name)
      visit(part, path === '' ? shown : `${path}.${shown}`, name, depth + 1)
    }
  }
  if (body !== undefined) visit(body, '', '', 0)
  return Object.fromEntries([...shape].map(([path, kinds]) => [path, [...kinds].slice(0, 8).join(' | ')]))
}

function describe(value: unknown, key: string): string {
  if (value === null) return 'null'
  if (typeof value === 'boolean') return String(value)
  if (typeof value === 'number') return NUMBERS.test(key) && !OWN.test(key) ? String(value) : 'number'
  if (typeof value !== 'string') return typeof value
  if (value === '') return 'empty string'
  const isWord = (KINDS.test(key) && CAPITALS.test(value)) || (TEXTS.test(key) && PLAIN.test(value))
  return isWord && !OWN.test(key) ? `"${value}"` : 'string'
}

/**
 * Compares a shape with the paths that are documented: `data[].id`, with a `?` behind what may be left out, and `.*` for
 * everything below. `missing`: what the object around it does not have. `unknown`: keys that are not documented.
 */
export function compareShape(shape: Shape, documented: readonly string[]): { missing: string[]; unknown: string[] } {
  const paths = Object.keys(shape)
  const known = documented.map((path) => path.replace(/\?$/, ''))
  const isKnown = (path: string) =>
    known.some(
      (each) =>
        each === path ||
        each.startsWith(`${path}.`) ||
        each.startsWith(`${path}[`) ||
        (each.endsWith('.*') && (path === each.slice(0, -2) || path.startsWith(each.slice(0, -1)))),
    )
  const isThere = (path: string) => path === '' || shape[path]?.includes('object') === true
  const missing = documented.filter(
    (path) => !/(\?|\.\*)$/.test(path) && isThere(parentOf(path)) && shape[path] === undefined,
  )
  // Below a key that is not known everything is unknown: the key alone is named.
  const unknown = paths.filter((path) => path !== '' && !path.endsWith('[]') && !isKnown(path))
  return {
    missing,
    unknown: unknown.filter((path) => !unknown.some((other) => other !== path && isBelow(path, other))),
  }
}

const isBelow = (path: string, other: string) => path.startsWith(`${other}.`) || path.startsWith(`${other}[`)

function parentOf(path: string): string {
  const end = path.lastIndexOf('.')
  return end === -1 ? '' : path.slice(0, end)
}
