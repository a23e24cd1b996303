import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { describe, expect, test } from 'vitest'

const root = normalize(join(import.meta.dirname, '..'))

/** Rooms from the top to the bottom (ARCHITECTURE.md). An arrow may skip rooms and never turns back; rooms of one row do not know each other. */
const ROWS = [
  ['main'],
  ['app'],
  ['http', 'sandbox'],
  ['mcp'],
  ['operations'],
  ['publishing', 'importing', 'icalendar', 'news', 'events', 'webhooks', 'housekeeping', 'backup'],
  ['networks', 'media', 'identity', 'persistence'],
  ['domain', 'processes'],
  ['contract'],
]
/** Read by app alone. */
const SIDE_ROOMS = ['config']
const ROOMS = [...ROWS.flat(), ...SIDE_ROOMS]
const rowOf = (room: string) => ROWS.findIndex((row) => row.includes(room))

/**
 * The rooms of the dashboard, in the same way. Those of the first row begin: for members, who are led to the screens of the
 * second row, and for guests.
 */
const WEB_ROWS = [
  ['app', 'shared'],
  ['calendar', 'connections', 'settings', 'sign-in', 'results', 'drafts', 'approvals', 'media'],
  ['post-set', 'notes', 'first-run'],
  ['post-set-actions', 'comments', 'library'],
  ['holds', 'uploads', 'failures', 'news'],
  ['planning'],
  ['frame'],
  ['design'],
  ['time'],
  ['api'],
  ['language'],
]

/** What the dashboard has of the contract besides types: files that import nothing. Every room may have them by themselves. */
const PURE = ['durations', 'limits', 'link-places', 'picture-fit', 'plain-lines', 'post-kinds'].map((file) => `#contract/${file}`)

const MAX_LINES = 400
/** By tests that compare them. */
const WRITTEN = ['src/persistence/tables.ts', 'clients/typescript/src/types.ts']
/** Grown by what they do: threads, gates, first comments, cards of links, stories of several (docs/decisions/0075, 0083, 0087). */
const LARGE: Record<string, number> = { bluesky: 3_300, facebook: 3_150, linkedin: 3_300, x: 3_400, youtube: 2_900 }

const LISTED = ['ls-files', '--cached', '--others', '--exclude-standard']
const tracked = execFileSync('git', LISTED, { cwd: root, encoding: 'utf8' })
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
    /(?:^|\n)\s*(?:import|export)\s[^'"\n;=]*?(?:\{[^}]*\}[^'"\n;=]*?)?['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]/g
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

/** Words in JSX that no macro reads, and messages that are read before there is a language. */
function plainWords(source: string): string[] {
  const label =
    /\s((?:aria-)?(?:label|title|description|placeholder|submit|alt|\w+(?:Label|Message|Title))="[^"]*[A-Za-z]{2}[^"]*"|name="[A-Z][^"]*")/
  const between = />\s*[A-Z][A-Za-z]+(?: [^<>{}=;()`]*)?<\//
  const early = /^(?:export )?const \w+ = t`/
  const lines = source.split('\n')
  return lines.flatMap((line, index) => {
    const found = label.exec(line) ?? between.exec(line) ?? early.exec(line)
    const before = lines[index - 1]?.trim() ?? ''
    // A line of words alone below an element that is no message.
    const alone = /^[A-Z][A-Za-z]*(?: [\w ,.’“”…!?:'-]*)?$/.test(line.trim()) && /^<[^/].*[^=]>$/.test(before)
    if (before.includes('<Trans>') || /<Trans>.*<\/Trans>/.test(line)) return []
    const what = found?.[0].trim() ?? (alone ? line.trim() : null)
    return what === null || NAMES.test(what) ? [] : [`line ${index + 1}: ${what}`]
  })
}

/** Names and examples of addresses are the same in every language. */
const NAMES = /^>?Almanac(?:<\/)?$|^placeholder="(?:https:\/\/)?[\w.]+"$/

describe('rooms', () => {
  test('every line of src is in a room', () => {
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

  test('a door is a door: no import goes by another way', () => {
    const ways = violations(production, (path) =>
      importsOf(path).filter((target) => /^#.*\//.test(target) && !PURE.includes(target)),
    )
    expect(ways).toEqual([])
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

  const folders = [
    ...new Set(code.filter((path) => /^src\/networks\/[^/]+\//.test(path)).map((path) => path.split('/')[2] ?? '')),
  ].filter((folder) => !['kit', 'meta', 'conformance'].includes(folder))

  test('a network costs about a day: what one on the kit has, and how large a folder is', () => {
    const lines = (paths: readonly string[]) => paths.reduce((sum, path) => sum + read(path).split('\n').length - 1, 0)
    // docs/decisions/0042: the example of a further network.
    const example = tracked.filter((path) => /^test\/networks\/postcards\/.*\.ts$/.test(path))
    const simulated = example.filter((path) => path.includes('simulator'))
    const tests = example.filter((path) => path.endsWith('.test.ts'))
    expect(lines(example) - lines(simulated) - lines(tests)).toBeLessThanOrEqual(700)
    expect(lines(simulated) + lines(tests)).toBeLessThanOrEqual(400)
    const large = folders
      .map((folder) => ({
        folder,
        lines: lines(tracked.filter((path) => path.startsWith(`src/networks/${folder}/`) && path.endsWith('.ts'))),
      }))
      .filter((one) => one.lines > (LARGE[one.folder] ?? 2_600))
    expect(large).toEqual([])
  })

  test('a network is known by its folder only', () => {
    expect(folders.length).toBeGreaterThan(0)
    // The values of account types in capitals belong to the contract.
    const title = (folder: string) => `${folder.charAt(0).toUpperCase()}${folder.slice(1)}`
    // A letter is in many a line: only where a network is named, it is one.
    const words = folders.flatMap((folder) =>
      folder.length > 1 ? [folder, title(folder)] : [`(?:network|named?|folder)\\W{1,4}'${folder}'`],
    )
    const name = new RegExp(`(?<![\\w-])(${words.join('|')})(?![\\w-])`)
    const elsewhere = production.filter(
      (path) =>
        !folders.some((folder) => path.startsWith(`src/networks/${folder}/`)) &&
        path !== 'src/contract/account-types.ts',
    )
    // A comment, or the address of a page of the vendor.
    const isSource = /: \s*(\*|\/\/|\/\*)|'https:\/\/developers\./
    expect(violations(elsewhere, (path) => matches(path, name)).filter((line) => !isSource.test(line))).toEqual([])
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
  const webRoomOf = (path: string) => {
    const [, , room = ''] = path.split('/')
    return path.startsWith('web/src/') && WEB_ROWS.flat().includes(room) ? room : null
  }
  const webRowOf = (room: string) => WEB_ROWS.findIndex((row) => row.includes(room))
  const filesOf = (path: string) =>
    importsOf(path)
      .filter((target) => target.startsWith('.'))
      .map((target) => join(dirname(path), target))

  test('knows the server by the types of the contract, and its pure files, alone', () => {
    expect(shown.length).toBeGreaterThan(0)
    const wrong = violations(web, (path) =>
      importsOf(path).filter((target) => {
        if (/^#\w/.test(target)) return target !== '#contract' && !PURE.includes(target)
        return target.startsWith('.') && !join(dirname(path), target).startsWith('web/')
      }),
    )
    expect(wrong).toEqual([])
    expect(PURE.flatMap((name) => importsOf(`${name.replace('#', 'src/')}.ts`))).toEqual([])
    // Another value would bring the contract's libraries into the bundle.
    const value =
      /(?:^|\n)\s*(?:import|export)\s+(?!type\b)[^'"\n;]*(?:\{[^}]*\}[^'"\n;]*)?['"]#contract['"]|import\(\s*['"]#contract/
    expect(shown.filter((path) => value.test(read(path)))).toEqual([])
  })

  test('every file is in a room', () => {
    expect(web.filter((path) => path.startsWith('web/src/') && webRoomOf(path) === null)).toEqual([])
  })

  test('arrows between its rooms never turn back, and rooms of one row do not know each other', () => {
    const wrong = violations(web, (path) => {
      const from = webRoomOf(path)
      return filesOf(path).filter((target) => {
        const to = webRoomOf(target)
        return from !== null && to !== null && to !== from && webRowOf(to) <= webRowOf(from)
      })
    })
    expect(wrong).toEqual([])
  })

  test('the page of guests has nothing of members: no session, no screen, and no library of widgets', () => {
    const own = shown.filter((path) => path.startsWith('web/src/shared/'))
    expect(own.length).toBeGreaterThan(0)
    const reached = new Set<string>()
    const visit = (path: string) => {
      if (reached.has(path)) return
      reached.add(path)
      for (const next of filesOf(path)) if (isCode(next)) visit(next)
    }
    for (const path of own) visit(path)
    const all = [...reached]
    const rooms = ['shared', 'planning', 'design', 'time', 'api', 'language']
    expect(all.filter((path) => path.startsWith('web/src/') && !rooms.includes(webRoomOf(path) ?? ''))).toEqual([])
    const ofMembers =
      /web\/src\/api\/(client|session|events|acting-as|reachable)\.ts$|@mantine\/|@tanstack\/react-router/
    expect(
      violations(all, (path) => [...filesOf(path), ...importsOf(path)].filter((to) => ofMembers.test(to))),
    ).toEqual([])
  })

  test('has nothing that the policy of its pages refuses, or that would let a text become a page', () => {
    const unsafe =
      /dangerouslySetInnerHTML|\.(inner|outer)HTML\s*=|insertAdjacentHTML|document\.write|\beval\(|new Function\(/
    expect(violations(shown, (path) => matches(path, unsafe))).toEqual([])
    for (const page of ['web/index.html', 'web/shared.html']) {
      expect(read(page), page).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=/)
    }
  })

  test('asks the server and writes forms in one way each', () => {
    const elsewhere = (place: string) => shown.filter((path) => path.startsWith('web/src/') && !path.startsWith(place))
    const asks = /(?<![\w.])fetch\(|XMLHttpRequest|sendBeacon|['"`/]internal\//
    expect(violations(elsewhere('web/src/api/'), (path) => matches(path, asks))).toEqual([])
    // Guests have one of their own: the page does without the library that the other is made of.
    const forms = ['web/src/design/form.tsx', 'web/src/shared/form.tsx']
    const others = elsewhere('web/src/api/').filter((path) => !forms.includes(path))
    expect(violations(others, (path) => matches(path, /<form\b/))).toEqual([])
  })

  test('reads again what the rows say that an endpoint touches', () => {
    const byHand = (path: string) => read(path).includes('invalidateQueries')
    const all = shown.filter((path) => path.startsWith('web/src/') && !path.startsWith('web/src/api/') && byHand(path))
    expect(all).toEqual([
      // What is kept in this browser comes by no endpoint.
      'web/src/post-set/keeping/unsaved.ts',
      // The page of guests has a cache of its own.
      'web/src/shared/data.ts',
    ])
  })

  test('takes its settings from the page, not from the build', () => {
    expect(violations(shown, (path) => matches(path, /\bprocess\.|import\.meta\.env/))).toEqual([])
  })
})

describe('habits', () => {
  test('SQL is in persistence only', () => {
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
      // The id of a post set that was removed is taken.
      'src/persistence/kept-drafts.ts',
      // Search finds what is restored, too.
      'src/persistence/composed-letters.ts',
      // Says what they are.
      'src/persistence/tables.ts',
    ]
    const readers = production.filter((path) => matches(path, beyond).length > 0)
    expect(readers.toSorted()).toEqual(named.toSorted())
  })

  test('comments are read and written by one file, which knows who reads', () => {
    const table =
      /\b(?:from|join|into|update) comments\b|(?:selectFrom|insertInto|updateTable|deleteFrom)\('comments'\)/
    const readers = production.filter((path) => matches(path, table).length > 0)
    expect(readers).toEqual(['src/persistence/comments.ts'])
  })

  test('words on screens are messages of the catalog', () => {
    const screens = tracked.filter((path) => /^web\/src\/.*\.tsx?$/.test(path) && !isTest(path))
    expect(violations(screens, (path) => plainWords(read(path)))).toEqual([])
    const planted = `<Button label="Save it">\n  Save\n</Button>\n<p>Two words</p>\nconst WORDS = t\`Read too early\``
    expect(plainWords(planted)).toEqual([
      'line 1: label="Save it"',
      'line 2: Save',
      'line 4: >Two words</',
      'line 5: const WORDS = t`',
    ])
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
      .filter((path) => isCode(path) && /^(src|web|test|scripts|bench|clients)\//.test(path))
      // A door is a list of names, and as long as there are names.
      .filter((path) => !WRITTEN.includes(path) && !/^src\/[^/]+\/index\.ts$/.test(path))
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
    const outside = /\.\.\/shared\/|\/work\//
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
