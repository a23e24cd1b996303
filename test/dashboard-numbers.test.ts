import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { LIMITS } from '#contract'

/** The dashboard imports the numbers of the contract: a copy would stay as it is when the number changes. */

const root = join(import.meta.dirname, '..')

/** The dashboard's own, which one of the contract happens to be, too. */
const OWN = [
  'calendar/filters.ts: MAX_TEXT 200',
  'calendar/list-view.tsx: ALL_DRAWN 60',
  'calendar/use-card-focus.ts: FRAMES_TO_CLOSE 60',
  'drafts/drafts-filters.tsx: maxLength 200',
  'drafts/drafts-query.ts: SIZE 50',
  'first-run/sample-post.ts: MAX_TITLE 100',
  'first-run/sample-post.ts: MOST_ASKED 60',
  'library/library-filters.tsx: maxLength 200',
  'media/posts-of-files.tsx: MOST_DAYS 60',
  'media/storage-bar.tsx: NEARLY 80',
  'planning/posts/subject.ts: MAX_NAME 60',
  'post-set/people-tags.tsx: max 100',
  'post-set/preview-frame.tsx: OVER_PICTURE 70',
  'shared/data.ts: MOST_CARDS 2000',
  'sign-in/second-step.tsx: maxLength 50',
  'time/zone-select.tsx: SHOWN 60',
]

/** Constants of times and of the screen have their unit in their names. */
const CONSTANT = /^(?:export )?const (?!\w+_(?:MS|PX|S)\b)(\w+) = ([\d_]+)$/gm
const ATTRIBUTE = /\b((?:max|min)(?:Length)?)(?:=\{|: )([\d_]+)\b/g
/** Smaller ones are everywhere. */
const LARGE = 40

function numbersOf(value: unknown): number[] {
  if (typeof value === 'number') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(numbersOf) : []
}

function copiesIn(source: string): string[] {
  const known = new Set(numbersOf(LIMITS).filter((value) => value >= LARGE))
  return [CONSTANT, ATTRIBUTE].flatMap((pattern) =>
    [...source.matchAll(pattern)]
      .map(([, name, digits = '']) => ({ name, value: Number(digits.replaceAll('_', '')) }))
      .filter(({ value }) => known.has(value))
      .map(({ name, value }) => `${name} ${value}`),
  )
}

test('copies are found', () => {
  const planted = 'const MOST = 65_000\nexport const PAUSE_MS = 200\nconst FEW = 3\n<Text maxLength={5_000} max={7} />'
  expect(copiesIn(planted)).toEqual(['MOST 65000', 'maxLength 5000'])
})

test('the dashboard has no number of the contract as a copy', () => {
  const files = globSync('**/*.{ts,tsx}', { cwd: join(root, 'web/src') }).filter((path) => !/\.test\.tsx?$/.test(path))
  expect(files.length).toBeGreaterThan(300)
  const found = files.flatMap((path) =>
    copiesIn(readFileSync(join(root, 'web/src', path), 'utf8')).map((copy) => `${path.replaceAll('\\', '/')}: ${copy}`),
  )
  expect(found.toSorted()).toEqual(OWN)
})
