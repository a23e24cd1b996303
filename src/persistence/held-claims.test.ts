import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/**
 * Work begins by a claim: a statement that takes a row for one process. While the start is held none may succeed, unless nothing that
 * it leads to leaves the machine or removes a file. README.md lists those, with the reason.
 */

const here = new URL('./', import.meta.url)
const readText = (name: string) => readFileSync(new URL(name, here), 'utf8')

const NAME = /^(take|claim)[A-Z]/
/** Sets a lease that was not there. */
const LEASES = /\b(lease_until|refresh_until|next_at)\b\s*[:=]\s*(\$\{)?(fromNow|fromSettled|now\b)|\bleased\(/

/** Top-level functions and constants of a file, without their comments. */
function partsOf(text: string): { name: string; code: string }[] {
  return text.split(/^(?=(?:export )?(?:async )?(?:function|const) )/m).flatMap((part) => {
    const name = /^(?:export )?(?:async )?(?:function|const) (\w+)/.exec(part)?.[1]
    return name ? [{ name, code: part.replace(/\/\*\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '') }] : []
  })
}

/** Claims of a file that go on while the start is held: neither they nor the parts of the file that they use ask. */
function unaskingClaims(text: string): string[] {
  const parts = partsOf(text)
  const asking = new Set(parts.filter(({ code }) => /\bnot \$\{startIsHeld\}/.test(code)).map(({ name }) => name))
  for (let before = -1; before !== asking.size; ) {
    before = asking.size
    for (const { name, code } of parts) {
      if ([...asking].some((other) => new RegExp(`\\b${other}\\b`).test(code))) asking.add(name)
    }
  }
  return parts
    .filter(({ name, code }) => (NAME.test(name) || LEASES.test(code)) && !asking.has(name))
    .map(({ name }) => name)
}

test('every claim refuses while the start is held, or is in the README with the reason why it need not', () => {
  const files = readdirSync(here).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  const found = files.flatMap((file) => unaskingClaims(readText(file)))
  const [, after = ''] = readText('README.md').split('## Claims, and a held start')
  const rows = (after.split('\n## ')[0] ?? '').split('\n').filter((line) => line.startsWith('| `'))
  const listed = rows.flatMap((row) => [...(row.split(' | ')[0] ?? '').matchAll(/`(\w+)`/g)].map(([, name]) => name))
  expect([...listed].sort()).toEqual([...found].sort())
})

test.each([
  ['export async function takeMail() { sql`update news_sends` }', ['takeMail']],
  ['export async function takeMail() { sql`update news_sends where not #{startIsHeld}` }', []],
  ['const due = sql`not #{startIsHeld}`\nexport function claimNext() { sql`update x where #{due}` }', []],
  ['export function begin() { sql`update x set lease_until = #{fromNow(1)}` }', ['begin']],
  ['export function begin() { return db.set({ refresh_until: fromNow(1) }) }', ['begin']],
  ['export function giveBack() { return db.set({ lease_until: null }) }', []],
])('%s: %j', (text, claims) => {
  expect(unaskingClaims(text.replaceAll('#', '$'))).toEqual(claims)
})
