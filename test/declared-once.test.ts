import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

/** Small helpers that used to be copied from file to file stand in one. */

const root = join(import.meta.dirname, '..')
const filesOf = (...folders: string[]) =>
  execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', ...folders], { cwd: root })
    .toString()
    .split('\n')
    .filter((path) => /\.tsx?$/.test(path) && existsSync(join(root, path)))
const tracked = filesOf('src', 'web/src').filter((path) => !path.includes('.test.'))

/** Lines of production code below a folder that say the pattern, but not in the one file that may. */
const others = (pattern: RegExp, { below = '', but = '' } = {}) =>
  tracked
    .filter((path) => path.startsWith(below) && path !== but)
    .flatMap((path) =>
      readFileSync(join(root, path), 'utf8')
        .split('\n')
        .flatMap((line, index) => (pattern.test(line) ? [`${path}:${index + 1} ${line.trim()}`] : [])),
    )

describe('what is declared once', () => {
  test('helpers of schemas', () => {
    const schemas = { below: 'src/contract/', but: 'src/contract/schema.ts' }
    expect(others(/\b(const|function) (closed|orNull|Id|Instant|list|once)\b/, schemas)).toEqual([])
    expect(
      others(/Type\.Object\(\{.*additionalProperties: false|Type\.Union\(\[\S+, Type\.Null\(\)\]/, schemas),
    ).toEqual([])
  })

  test('how a lease is kept, and that it was lost', () => {
    const lease = { but: 'src/persistence/under-lease.ts' }
    expect(others(/class LeaseLostError\b/, lease)).toEqual([])
    expect(others(/setInterval\(.*lease/i, lease)).toEqual([])
  })

  test('lengths of time: a minute may be a number among others, and what is counted in minutes, hours or days is not', () => {
    const durations = { but: 'src/contract/durations.ts' }
    expect(others(/\bconst (second|minute|hour|day|week)(_ms)? = \d/i, durations)).toEqual([])
    expect(others(/(?<![\d_])(3_600_000|86_400_000|604_800_000)\b|[*/] 60_000\b/, durations)).toEqual([])
  })

  test('what a request may say: in its row, by which the server reads it; begun uploads have fields in headers too', () => {
    const operations = { below: 'src/operations/', but: 'src/operations/media/uploads/begin.ts' }
    expect(others(/\b(askedBody|askedQuery|checkShape)\b/, operations)).toEqual([])
  })

  test('which processes a file of tests may end: what it shares with others is a child of the same process', () => {
    const reads = /\}\/children\x60/
    const all = filesOf('src', 'test').filter((path) => reads.test(readFileSync(join(root, path), 'utf8')))
    expect(all).toEqual(['test/_util/processes/children.ts'])
  })
})
