import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { describe, expect, test } from 'vitest'

const root = normalize(join(import.meta.dirname, '..'))

/**
 * Rooms from the top to the bottom. An arrow may skip rooms and never turns back; rooms of one row do not know each
 * other. ARCHITECTURE.md tells what each is for.
 */
const ROWS = [
  ['main'],
  ['app'],
  ['http', 'sandbox'],
  ['operations'],
  ['publishing', 'importing', 'alerting', 'housekeeping'],
  ['networks', 'media', 'identity', 'persistence'],
  ['domain'],
  ['contract'],
]
/** Read by app alone. */
const SIDE_ROOMS = ['config']
const ROOMS = [...ROWS.flat(), ...SIDE_ROOMS]
const rowOf = (room: string) => ROWS.findIndex((row) => row.includes(room))

const MAX_LINES = 400

const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((path) => path !== '' && existsSync(join(root, path)))
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const isCode = (path: string) => /\.(ts|tsx|mjs)$/.test(path)
const isTest = (path: string) => path.endsWith('.test.ts') || path.startsWith('src/networks/conformance/')
const code = tracked.filter((path) => path.startsWith('src/') && isCode(path))
const production = code.filter((path) => !isTest(path))

/** The room of a file: its folder below src, or the file's own name for what stands directly in src. */
function roomOf(path: string): string {
  const [, first = ''] = path.split('/')
  return first.replace(/\.ts$/, '')
}

function importsOf(path: string): string[] {
  const pattern =
    /(?:^|\n)\s*(?:import|export)\s[^'"\n;]*?(?:\{[^}]*\}[^'"\n;]*?)?['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]/g
  return [...read(path).matchAll(pattern)].map((match) => match[1] ?? match[2] ?? '')
}

/** Violations as lines, so that a failure lists them all. */
function violations(paths: string[], find: (path: string) => string[]): string[] {
  return paths.flatMap((path) => find(path).map((what) => `${path}: ${what}`))
}

function matches(path: string, pattern: RegExp): string[] {
  return read(path)
    .split('\n')
    .flatMap((line, index) => (pattern.test(line) ? [`line ${index + 1}: ${line.trim().slice(0, 100)}`] : []))
}

describe('rooms', () => {
  test('every line of src stands in a room', () => {
    expect(code.filter((path) => !ROOMS.includes(roomOf(path)))).toEqual([])
  })

  test('arrows between rooms never turn back, and rooms of one row do not know each other', () => {
    const wrong = violations(production, (path) => {
      const from = roomOf(path)
      return importsOf(path)
        .filter((target) => target.startsWith('#'))
        .map((target) => target.slice(1))
        .filter((to) => ROOMS.includes(to))
        .filter((to) => {
          if (to === from) return true
          if (to === 'config') return from !== 'app' && from !== 'main'
          if (from === 'config') return to !== 'contract'
          return rowOf(to) <= rowOf(from)
        })
        .map((to) => `imports #${to}`)
    })
    expect(wrong).toEqual([])
  })

  test('a door is a door: no relative import leaves its room', () => {
    const wrong = violations(production, (path) =>
      importsOf(path)
        .filter((target) => target.startsWith('.'))
        .filter((target) => {
          const to = join(dirname(path), target)
          if (!to.startsWith('src/')) return !to.endsWith('package.json')
          // main and app are files beside the rooms; app may be split into a folder of its own name.
          return roomOf(to) !== roomOf(path) && !(roomOf(path) === 'main' && roomOf(to) === 'app')
        }),
    )
    expect(wrong).toEqual([])
  })

  test('a network is known by its folder only', () => {
    const folders = [
      ...new Set(code.filter((path) => /^src\/networks\/[^/]+\//.test(path)).map((path) => path.split('/')[2] ?? '')),
    ].filter((folder) => folder !== 'toolkit' && folder !== 'conformance')
    expect(folders.length).toBeGreaterThan(0)
    // The values of account types in capitals belong to the contract.
    const title = (folder: string) => `${folder.charAt(0).toUpperCase()}${folder.slice(1)}`
    // A letter stands in many a line: only where a network is named, it is one.
    const words = folders.flatMap((folder) =>
      folder.length > 1 ? [folder, title(folder)] : [`(?:network|named?|folder)\\W{1,4}'${folder}'`],
    )
    const name = new RegExp(`(?<![\\w-])(${words.join('|')})(?![\\w-])`)
    const elsewhere = production.filter(
      (path) =>
        !folders.some((folder) => path.startsWith(`src/networks/${folder}/`)) &&
        path !== 'src/contract/account-types.ts',
    )
    const isComment = /: \s*(\*|\/\/|\/\*)/
    expect(violations(elsewhere, (path) => matches(path, name)).filter((line) => !isComment.test(line))).toEqual([])
    for (const folder of folders) {
      const others = new RegExp(`networks/(?!${folder})|\\.\\./(${folders.join('|')})/`)
      const files = production.filter((path) => path.startsWith(`src/networks/${folder}/`))
      expect(violations(files, (path) => importsOf(path).filter((target) => others.test(target)))).toEqual([])
    }
  })
})

describe('dashboard', () => {
  const web = tracked.filter((path) => path.startsWith('web/') && isCode(path))
  const shown = web.filter((path) => !isTest(path))

  test('knows the server by the types of the contract alone', () => {
    expect(shown.length).toBeGreaterThan(0)
    const wrong = violations(web, (path) =>
      importsOf(path).filter((target) => {
        const inside = target.startsWith('.') ? join(dirname(path), target).startsWith('web/') : true
        return !inside || (target.startsWith('#') && ROOMS.includes(target.slice(1)) && target !== '#contract')
      }),
    )
    expect(wrong).toEqual([])
    // A value would bring the contract's libraries into the bundle.
    const value =
      /(?:^|\n)\s*(?:import|export)\s+(?!type\b)[^'"\n;]*(?:\{[^}]*\}[^'"\n;]*)?['"]#contract['"]|import\(\s*['"]#contract/
    expect(web.filter((path) => value.test(read(path)))).toEqual([])
  })

  test('has nothing that the policy of its pages refuses, or that would let a text become a page', () => {
    const unsafe =
      /dangerouslySetInnerHTML|\.(inner|outer)HTML\s*=|insertAdjacentHTML|document\.write|\beval\(|new Function\(/
    expect(violations(shown, (path) => matches(path, unsafe))).toEqual([])
    const page = read('web/index.html')
    expect(page).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=/)
  })

  test('takes its settings from the page, not from the build', () => {
    expect(violations(shown, (path) => matches(path, /\bprocess\.|import\.meta\.env/))).toEqual([])
  })
})

describe('habits', () => {
  test('SQL stands in persistence only', () => {
    const sql = /\bsql(<[^>]*>)?`|\.(selectFrom|insertInto|updateTable|deleteFrom)\(/
    expect(
      violations(
        production.filter((path) => roomOf(path) !== 'persistence'),
        (path) => matches(path, sql),
      ),
    ).toEqual([])
  })

  test('what members removed is read by few: all others read the views', () => {
    const nouns = [...read('src/persistence/schema.sql').matchAll(/^create table all_(\w+) \(/gm)].map(
      ([, noun]) => noun,
    )
    expect(nouns).toEqual(['notes', 'post_sets'])
    const beyond = new RegExp(`\\ball_(${nouns.join('|')})\\b|\\bremoved_(at|connections)\\b`)
    const named = [
      // Removes, restores and purges.
      'src/persistence/removed.ts',
      // Another timezone moves what was removed, too.
      'src/persistence/timezone-change.ts',
      // Says what they are.
      'src/persistence/tables.ts',
    ]
    const readers = production.filter((path) => matches(path, beyond).length > 0)
    expect(readers.toSorted()).toEqual(named.toSorted())
  })

  test('the environment is read in config only', () => {
    expect(
      violations(
        production.filter((path) => roomOf(path) !== 'config'),
        (path) => matches(path, /process\.env\b/),
      ),
    ).toEqual([])
  })

  test(`no source file is longer than ${MAX_LINES} lines`, () => {
    const long = tracked
      .filter((path) => isCode(path) && /^(src|web|test|scripts|bench)\//.test(path))
      .map((path) => ({ path, lines: read(path).split('\n').length - 1 }))
      .filter(({ lines }) => lines > MAX_LINES)
    expect(long).toEqual([])
  })

  test('nothing is left for later: no TODO, no skipped or lonely test, no unexplained suppression', () => {
    const here = 'test/architecture.test.ts'
    const files = tracked.filter((path) => isCode(path) && path !== here)
    const left = /\b(TODO|FIXME|XXX)\b|\b(test|describe|it)\.only\(|@ts-ignore|@ts-nocheck|\bas any\b|: any\b(?!\s+\w)/
    expect(violations(files, (path) => matches(path, left))).toEqual([])
    const unexplained = /biome-ignore [\w/]+:?\s*$|@ts-expect-error\s*$/
    expect(violations(files, (path) => matches(path, unexplained))).toEqual([])
  })

  test('folders are named for what is in them', () => {
    const vague = /(^|\/)(utils?|helpers?|common|misc|types|services|managers)\//
    expect(tracked.filter((path) => vague.test(path))).toEqual([])
  })

  test('test libraries do not reach production code', () => {
    const libraries = /^(vitest|fast-check|@atproto\/(pds|crypto|lexicon)|@did-plc\/)/
    expect(violations(production, (path) => importsOf(path).filter((target) => libraries.test(target)))).toEqual([])
  })

  test('the project keeps what it needs in itself: no path outside of the checkout in what users run', () => {
    const outside = /\.\.\/shared|\/work\//
    expect(
      violations([...production, ...tracked.filter((path) => path.startsWith('scripts/'))], (path) =>
        matches(path, outside),
      ),
    ).toEqual([])
  })

  test('no package registry is named', () => {
    const texts = tracked.filter((path) => !/\.(png|jpg|gif|mp4|mov|webm)$/.test(path))
    expect(
      violations(texts, (path) => matches(path, /registry\.npm|deb\.debian/)).filter(
        (line) => !line.startsWith('test/architecture'),
      ),
    ).toEqual([])
  })
})
