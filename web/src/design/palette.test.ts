import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { PALETTE } from './theme.ts'

/** Colors come from `tokens.css`, by name; nothing on a screen has one that is not of the palette. */

const webSrc = join(import.meta.dirname, '..')
const files = readdirSync(webSrc, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.(tsx?|css)$/.test(name) && !/\.test\.tsx?$/.test(name))
  .map((name) => name.replaceAll('\\', '/'))

/** Where colors are defined, and what has to have those of its own. */
const WITH_COLORS = [
  'design/tokens.css',
  'design/theme.ts',
  // Of what people choose a color for.
  'design/label-colors.ts',
  'planning/labels/note-colors.ts',
  'calendar/kept.ts',
  // The first color of a new note, where the list of them had none.
  'shared/note-dialog.tsx',
  'notes/note-editor.tsx',
  'settings/calendars-dialogs.tsx',
  // Cameras read black on white.
  'settings/security-qr-code.tsx',
]

/** Names of Mantine's that are no color of their own. */
const NOT_COLORED = ['dimmed', 'inherit', 'transparent', 'text', 'error', 'body', 'anchor', 'placeholder', 'default']
/** Colors of Mantine that are none of ours. */
const FOREIGN = ['blue', 'cyan', 'grape', 'lime', 'pink', 'violet', 'initials']

const known = (name: string) => PALETTE.includes(name) || NOT_COLORED.includes(name)

/** Colors in a source that are none of the palette. */
function foreignColors(name: string, text: string): string[] {
  const bare = text.replaceAll(/\/\*[\s\S]*?\*\/|(?<![:"'])\/\/.*/g, '')
  const found: string[] = []
  for (const [, of = ''] of bare.matchAll(/--mantine-color-([a-z]+)/g)) if (!known(of)) found.push(of)
  if (name.endsWith('.css')) {
    for (const [value] of bare.matchAll(/#[0-9a-f]{3,8}\b|\b(?:rgba?|hsla?|oklch|oklab|lab|lch)\((?!from)/gi)) {
      found.push(value)
    }
    for (const [, value = ''] of bare.matchAll(
      /:[^;{}]*\b(white|black|red|green|blue|yellow|orange|gray)\b(?!-)[^;{}]*;/g,
    )) {
      if (!bare.includes(`--mantine-color-${value}`)) found.push(value)
    }
    return found
  }
  // As properties of components, alone and in conditions, and as entries of tables.
  for (const [, value = ''] of bare.matchAll(/\b(?:color|c|bg|bd)=("[^"]*"|\{[^{}]*\})/g)) {
    for (const [, word = ''] of value.matchAll(/["']([a-z]+)(?:\.\d)?["']/g)) if (!known(word)) found.push(word)
  }
  for (const [, word = ''] of bare.matchAll(/\bcolor: '([a-z]+)'/g)) if (!known(word)) found.push(word)
  for (const [, word = ''] of bare.matchAll(/'([a-z]+)'/g)) if (FOREIGN.includes(word)) found.push(word)
  for (const [value] of bare.matchAll(/['"`](?:#[0-9a-f]{3,8}|(?:rgba?|hsla?|oklch)\([^'"`]*)['"`]/gi))
    found.push(value)
  return found
}

test('every color of a screen is of the palette', () => {
  expect(files.length).toBeGreaterThan(400)
  const found = files
    .filter((name) => !WITH_COLORS.includes(name))
    .map((name) => [name, foreignColors(name, readFileSync(join(webSrc, name), 'utf8'))] as const)
  expect(Object.fromEntries(found.filter(([, colors]) => colors.length > 0))).toEqual({})
})

test.each([
  ['a.tsx', '<Alert color="blue" p="sm">', ['blue']],
  ['a.tsx', '<Alert p="sm">', []],
  ['a.tsx', "<Badge color={late ? 'pink' : 'gray'} />", ['pink', 'pink']],
  ['a.tsx', "const COLORS = { pending: 'grape', failed: 'red' }", ['grape']],
  ['a.tsx', 'c="var(--mantine-color-violet-text)"', ['violet']],
  ['a.tsx', "style={{ color: '#228be6' }}", ["'#228be6'"]],
  ['a.css', '.a { color: #fff; background: var(--accent); }', ['#fff']],
  ['a.css', '.a { color: var(--mantine-color-blue-6); }', ['blue']],
  ['a.css', '.a { background: rgb(0 0 0 / 8%); /* #fff */ white-space: nowrap; }', ['rgb(']],
  ['a.css', '.a { color: white; }', ['white']],
  ['a.css', '.a { background: color-mix(in srgb, var(--ink) 22%, transparent); }', []],
])('in %s, %s has %j', (name, text, colors) => {
  expect(foreignColors(name, text)).toEqual(colors)
})

test('every token that a style sheet reads is there', () => {
  const sheets = files.filter((name) => name.endsWith('.css'))
  const all = sheets.map((name) => readFileSync(join(webSrc, name), 'utf8')).join('\n')
  const sources = files.filter((name) => !name.endsWith('.css')).map((name) => readFileSync(join(webSrc, name), 'utf8'))
  const defined = new Set([...all.matchAll(/(--[\w-]+)\s*:/g)].map(([, name]) => name))
  for (const [, name] of sources.join('\n').matchAll(/['"[](--[\w-]+)['"\]]/g)) defined.add(name)
  const read = new Set([...all.matchAll(/var\((--[\w-]+)\)/g)].map(([, name]) => name ?? ''))
  const kits =
    /^--(mantine|input|button|ai|mb|menu|badge|modal|notification|alert|switch|checkbox|radio|progress|table|tab)/
  expect([...read].filter((name) => !defined.has(name) && !kits.test(name))).toEqual([])
})
