import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { check } from 'recheck'
import { parseSync } from 'vite'
import { describe, expect, test } from 'vitest'
import { type Attack, type Finding, hostileText } from './_util/api/hostile-text.ts'

/**
 * Regular expressions whose time grows faster than the text: with those one request can hold the process. A checker reads
 * each one in src/, and gives hostile text for what it suspects; that is tried here, in 4 kB and in 16 kB.
 */
const root = join(import.meta.dirname, '..')
/** What the checker said of each expression, so that only new ones are checked: `vitest run test/expressions -u` writes it. */
const KNOWN = join(root, 'test/_fixtures/expressions.json')

/** What never sees bytes of others in quantity, each with what bounds its text. */
const BOUNDED: Readonly<Record<string, string>> = {
  '/\\[([^\\]]+)\\]\\((?!https?:|\\/|#)[^)\\s]+\\)/g': 'pages of docs, which are part of Almanac',
  '/\\]\\(([^)#:\\s]+\\.md)(#[^)]*)?\\)/g': 'pages of docs, which are part of Almanac',
  '/<!-- table: ([\\w-]+) -->[\\s\\S]*?<!-- end -->/g': 'pages of docs, which are part of Almanac',
  '/^<!-- [^\\n]* -->\\n/gm': 'pages of docs, which are part of Almanac',
  '/^(\\/[^#]*docs\\/[^#]+)\\.md(?=#|$)/': 'links in pages of docs, which are part of Almanac',
  '/\\?.*$/': 'the tests of networks alone',
  '/\\b(page|account)\\b.*\\b(suspended|disabled)\\b/i': 'a message of Facebook, cut at 300 characters',
  '/\\bCONSUMER_(SUSPENDED|INVALID)\\b|\\bconsumer\\b.*\\b(suspended|invalid)\\b/i':
    'a message of Google, cut at 2,000 characters',
  '/(grapheme|string) too big .*at \\$\\.(writes\\[\\d+\\]\\.)?(record\\.)?text\\b/s':
    'a message of a server of Bluesky, cut at 2,000 characters',
  '/description.*(max_?length|too long)/is': 'a message of Pinterest, cut at 2,000 characters',
  '/(title|alt_text).*(max_?length|too long)/is': 'a message of Pinterest, cut at 2,000 characters',
  '/invalid url|\\blink\\b.*(invalid|pattern|format|maxlength|too long)/i':
    'a message of Pinterest, cut at 2,000 characters',
  '/grant is invalid|refresh.?token.*(invalid|expired|revoked)/i': 'a message of Pinterest, cut at 200 characters',
  '/refresh token\\b.*\\b(invalid|expired|revoked)/i': 'a message of LinkedIn, cut at 200 characters',
  '/\\{hashtag\\|\\\\?#\\|((?:\\\\.|[^}\\\\])*)\\}/gu': 'a commentary of LinkedIn, cut at 10,000 characters',
  '/@\\[((?:\\\\.|[^\\]\\\\])*)\\]\\(urn:li:[^)]*\\)/gu': 'a commentary of LinkedIn, cut at 10,000 characters',
  '/^(?:(?:(?:19|20)\\d\\d[-./]\\d{1,2}[-./]\\d{1,2}|\\d{1,2}[-./]\\d{1,2}[-./](?:19|20)?\\d\\d|(?:19|20)\\d\\d)(?:[\\s\\-\\u2010-\\u2013]+|$))+$/u':
    'what may be a phone number, of 62 characters and 15 digits at the most',
  '/\\block table ([\\w, ]+) in\\b/g': 'migrations, which are part of Almanac',
  '/\\bcreate (?:or replace |constraint )?trigger \\w+ (?:before|after) [^;]*? on (\\w+)/g':
    'migrations, which are part of Almanac',
  '/<p class="text">↳ (.*?)<\\/p>/gs': 'the conformance suite reads pages of the simulators',
}

/** For 4 kB, which no expression may take: twenty times what the slowest one takes. */
const SLOW_MS = 100

const written = (source: string, flags: string) => `/${source}/${flags}`

function expressionsOf(file: string): string[] {
  const found: string[] = []
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    const { regex } = node as { regex?: { pattern: string; flags: string } }
    if (regex) found.push(written(regex.pattern, regex.flags))
    else for (const child of Object.values(node)) visit(child)
  }
  visit(parseSync(file, readFileSync(join(root, file), 'utf8')).program)
  return found
}

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', 'src'], { cwd: root })
  .toString()
  .split('\n')
  .filter((file) => /\.ts$/.test(file) && !/\.test\.ts$/.test(file) && existsSync(join(root, file)))
const expressions = [...new Set(files.flatMap(expressionsOf))].sort()
const known: Record<string, Finding> = existsSync(KNOWN) ? JSON.parse(readFileSync(KNOWN, 'utf8')) : {}

async function findingOf(expression: string): Promise<Finding> {
  const before = known[expression]
  if (before) return before
  const end = expression.lastIndexOf('/')
  const result = await check(expression.slice(1, end), expression.slice(end + 1), { timeout: 20_000 })
  if (result.status === 'safe') return 'safe'
  if (result.status === 'unknown')
    throw new Error(`The checker cannot tell whether ${expression} is safe: write it in a simpler way.`)
  const { pumps, suffix } = result.attack
  return { pumps: pumps.map(({ prefix, pump }) => ({ prefix, pump })), suffix }
}

/** Milliseconds of processor time of the quickest of three goes through the whole text; of the first one where that is slow already. */
function timeOf(expression: string, text: string): number {
  const end = expression.lastIndexOf('/')
  const pattern = new RegExp(expression.slice(1, end), expression.slice(end + 1))
  let quickest = Number.POSITIVE_INFINITY
  for (let go = 0; go < 3 && (go === 0 || quickest < SLOW_MS); go++) {
    const since = process.threadCpuUsage()
    text.replace(pattern, '')
    const { user, system } = process.threadCpuUsage(since)
    quickest = Math.min(quickest, (user + system) / 1_000)
  }
  return quickest
}

describe('regular expressions', () => {
  test('each has been read by the checker', async () => {
    expect(expressions.length).toBeGreaterThan(400)
    const findings = Object.fromEntries(
      await Promise.all(expressions.map(async (each) => [each, await findingOf(each)] as const)),
    )
    await expect(`${JSON.stringify(findings, null, 2)}\n`).toMatchFileSnapshot(KNOWN)
  })

  const suspects = Object.entries(known).filter(
    (entry): entry is [string, Attack] => entry[1] !== 'safe' && expressions.includes(entry[0]),
  )
  test.each(suspects.filter(([expression]) => !(expression in BOUNDED)))(
    'the time of %s grows with its text and not faster',
    (expression, attack) => {
      const short = timeOf(expression, hostileText(attack, 4_096))
      expect(short).toBeLessThan(SLOW_MS)
      const long = timeOf(expression, hostileText(attack, 16_384))
      // Four times in theory. Below a few milliseconds nothing is at stake, and the figure is noise: what is shorter than a tick of
      // the system counts as nothing.
      if (long > 10) expect(long / Math.max(short, 2)).toBeLessThan(8)
    },
  )

  test('what is bounded in another way is in use, and would be found', () => {
    const names = suspects.map(([expression]) => expression)
    expect(Object.keys(BOUNDED).filter((expression) => !names.includes(expression))).toEqual([])
  })
})
