import { readFile, writeFile } from 'node:fs/promises'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { type AccountType, accountTypes } from '#contract'
import { FAULT_NAMES, type FaultName, faultOf } from './faults.ts'
import type { Point } from './gate.ts'
import { namePoint, shotName, WAYS, wayOf } from './plan.ts'
import type { Way } from './posts.ts'
import type { PostEnd, RunEnd } from './run.ts'

/** A promise: no takeover later than this after a kill, at the default lease. */
export const TAKEOVER_MS = 60_000

export interface Ended extends RunEnd {
  leaseMs: number
}

/** What is wrong with a run, a line each. */
export function faultsOf({ run, posts, leaseMs }: Ended): string[] {
  return posts.flatMap((post) => {
    const where = post.point
      ? namePoint(run, post.point)
      : `${post.accountType} beside ${run.points.map((point) => namePoint(run, point)).join(', ')}`
    const late = run.fault === 'kill' && leaseMs === 40_000 && (post.takeoverMs ?? 0) > TAKEOVER_MS
    const faults = [...post.faults, ...(late ? [`taken over after ${post.takeoverMs} ms`] : [])]
    return faults.map((fault) => `${run.fault} ${where}: ${fault}`)
  })
}

const LEFT = '<!-- made by npm run test:crash -->'
const RIGHT = '<!-- end -->'

/** Writes the tables between the marks of docs/reliability.md. */
export async function writeTables(tables: string): Promise<void> {
  const file = join(import.meta.dirname, '../../docs/reliability.md')
  const text = await readFile(file, 'utf8')
  const [before, rest] = text.split(LEFT)
  const after = rest?.split(RIGHT).slice(1).join(RIGHT)
  if (rest === undefined || after === undefined) throw new Error(`${file} has no ${LEFT} … ${RIGHT}.`)
  await writeFile(file, `${before}${LEFT}\n${tables}\n${RIGHT}${after}`)
}

/** What was tried, by account type and fault, and how long takeovers took. */
export function tablesOf(ends: readonly Ended[], { minutes }: { minutes: number }): string {
  const short = ends.filter(({ leaseMs }) => leaseMs < 40_000)
  const long = ends.filter(({ leaseMs }) => leaseMs >= 40_000)
  const named = (isMeant: (point: Point) => boolean) =>
    new Set(ends.flatMap(({ run, struck }) => struck.filter(isMeant).map((point) => namePoint(run, point)))).size
  const posts = ends.flatMap((end) => end.posts)
  const failed = posts.filter(({ result }) => result === 'FAILED')
  const shots = ends.reduce((sum, { struck }) => sum + struck.length, 0)
  return [
    `${new Date().toISOString().slice(0, 10)}, ${cpus().length} cores, ${minutes} minutes: ${shots} faults at ${named(() => true)} points,` +
      ` ${named(({ inTransaction }) => inTransaction)} of them inside transactions; ${posts.length} posts, of which ${failed.length} ended \`FAILED\`,` +
      ` and ${posts.filter((post) => post.result === 'POSTED' && !post.hasPermalink).length} \`POSTED\` without a permalink.`,
    '',
    'Faults that struck, by account type. `n F`: of these posts so many ended `FAILED`, with honest words. **Bold**: something was not as promised.',
    '',
    ...pointTable(short),
    '',
    'At the default lease of 40 s, on one network of each kind: seconds from the fault to the takeover by the other worker (–: the worker itself went on), and to the result.',
    '',
    ...longTable(long),
  ].join('\n')
}

function pointTable(ends: readonly Ended[]): string[] {
  const used = FAULT_NAMES.filter((fault) => ends.some(({ run }) => run.fault === fault))
  const subjects: (AccountType | 'CALENDAR')[] = [...accountTypes, 'CALENDAR']
  const cellOf = (fault: FaultName, subject: AccountType | 'CALENDAR') => {
    const ofFault = ends.filter(({ run }) => run.fault === fault)
    const struck = ofFault.flatMap((end) => end.struck).filter((point) => point.subject === subject)
    if (struck.length === 0) return '–'
    const own = ofFault
      .filter((end) => subject !== 'CALENDAR' || end.struck.some((point) => point.subject === subject))
      .flatMap(({ posts }) => posts)
      .filter((post) =>
        subject === 'CALENDAR' ? true : post.accountType === subject && (post.point !== null || isWrong(post)),
      )
    const failed = own.filter(({ result }) => result === 'FAILED').length
    const text = `${struck.length}${failed > 0 ? `, ${failed} F` : ''}`
    return own.some(isWrong) ? `**${text}**` : text
  }
  return [
    `| | ${subjects.map((subject) => `\`${subject}\``).join(' | ')} |`,
    `| --- |${subjects.map(() => ' --- |').join('')}`,
    ...used.map((fault) => {
      return `| ${faultOf(fault).title} | ${subjects.map((subject) => cellOf(fault, subject)).join(' | ')} |`
    }),
  ]
}

const isWrong = ({ faults }: PostEnd) => faults.length > 0
const seconds = (ms: number) => Math.round(ms / 1_000)

function longTable(ends: readonly Ended[]): string[] {
  return [
    `| | ${WAYS.join(' | ')} |`,
    `| --- |${WAYS.map(() => ' --- |').join('')}`,
    ...FAULT_NAMES.flatMap((fault) => {
      // What was missed in company came alone, later.
      const ofFault = ends.filter(({ run }) => run.fault === fault)
      if (ofFault.length === 0) return []
      const cells = WAYS.map((way) => {
        const end = ofFault.find(({ posts }) => ofWay(posts, way))
        const post = end && ofWay(end.posts, way)
        if (!end || !post) return 'not reached'
        const taken = post.takeoverMs === null ? '–' : seconds(post.takeoverMs)
        const wrong = faultsOf({ ...end, posts: [post] }).length > 0
        const text = `${taken} / ${seconds(post.endedMs)}${post.result === 'FAILED' ? ' F' : ''}`
        return wrong ? `**${text}**` : text
      })
      return [`| ${faultOf(fault).title} | ${cells.join(' | ')} |`]
    }),
  ]
}

const ofWay = (posts: readonly PostEnd[], way: Way) =>
  posts.find(({ accountType, point }) => point !== null && wayOf(accountType) === way)

/** A line of a run, for the terminal. */
export function lineOf(end: Ended): string {
  const { run, struck, missed, posts, ms, leaseMs } = end
  const taken = posts.flatMap(({ takeoverMs }) => (takeoverMs === null ? [] : [takeoverMs]))
  const failed = posts.filter(({ result }) => result === 'FAILED').length
  const parts = [
    `${leaseMs / 1_000} s lease`,
    `${run.fault}${run.kind === 'plain' ? '' : ` (${run.kind})`}`,
    `struck ${struck.length} of ${struck.length + missed.length}`,
    ...(taken.length > 0 ? [`last takeover ${seconds(Math.max(...taken))} s`] : []),
    ...(failed > 0 ? [`${failed} FAILED`] : []),
    `${seconds(ms)} s`,
  ]
  return parts.join(', ')
}

export const namesOf = (end: RunEnd, points: readonly RunEnd['struck'][number][]) =>
  points.map((point) => shotName(end.run, point))
