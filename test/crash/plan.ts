import { type AccountType, accountTypes } from '#contract'
import { FAULT_NAMES, type FaultName, faultOf } from './faults.ts'
import { type Point, pointKey, type Recorded } from './gate.ts'
import { type Kind, networkOf, OTHER_SAMPLES, SAMPLES, STORYTELLERS, type Way } from './posts.ts'
import type { Run } from './run.ts'

/** The two that share a network are never under way at once. */
export const TOGETHER = accountTypes.filter((type) => type !== 'LINKEDIN_PERSONAL')
export const ALONE: readonly AccountType[] = ['LINKEDIN_PERSONAL']
/** Posts that are due together when a look at the calendar is struck. */
const QUICK: readonly AccountType[] = ['BLUESKY', 'TWITTER', 'FACEBOOK', 'PINTEREST']
/** Networks with tokens that are refreshed. */
export const REFRESHING: readonly AccountType[] = [
  ...(['BLUESKY', 'TWITTER', 'LINKEDIN_PAGE', 'GMB', 'PINTEREST', 'TIKTOK', 'YOUTUBE'] as const),
]

/** What is recorded before anything is planned: each points of the posts that go out together. */
export interface Recording extends Omit<Run, 'fault' | 'points'> {
  points: readonly Recorded[]
}
export const RECORDINGS: readonly Omit<Recording, 'points'>[] = [
  { accountTypes: TOGETHER, kind: 'plain' },
  { accountTypes: ALONE, kind: 'plain' },
  { accountTypes: REFRESHING, kind: 'refreshing' },
  { accountTypes: STORYTELLERS, kind: 'stories' },
  { accountTypes: accountTypes.filter((type) => type in OTHER_SAMPLES), kind: 'other' },
]

/** As it is asked for by `--only`. */
export const shotName = (run: Pick<Run, 'fault' | 'kind'>, point: Point) => `${run.fault} ${namePoint(run, point)}`
/** Messages of all kinds have the same names. */
export const namePoint = ({ kind }: Pick<Run, 'kind'>, point: Point) => `${PREFIXES[kind]}${pointKey(point)}`
const PREFIXES: Readonly<Record<Kind, string>> = {
  plain: '',
  refreshing: '',
  stories: 'stories of ',
  other: 'other of ',
}

/** What many of a network's polls have in common is tried at the first of them. */
const POLLS = 2
/** What each part of a post does once: its fence, its visible call and its end. */
const PARTS = 5
const isOfPart = ({ name }: Recorded) => name === 'fence' || name === 'COMMIT' || VISIBLE.test(name)
const VISIBLE = /tweets$|threads_publish$|media_publish$|photo_stories$|applyWrites$|comments$|commentThreads$/
/** What a refresh is made of. */
const OF_REFRESH = /refresh|token|network_identities/i

/** Of the second account type of a network, what is not the same as with the first. */
const isOwn = ({ subject, inTransaction, kind }: Recorded) =>
  !ALONE.some((type) => type === subject) || inTransaction || kind === 'call'
const isTried = (point: Recorded) =>
  point.nth <= (isOfPart(point) ? PARTS : POLLS) && point.name !== 'ROLLBACK' && isOwn(point)

/** The faults by how much they find, the most fruitful most often. */
const ROTATION: readonly FaultName[] = [
  ...(['kill', 'stop', 'backend', 'silence', 'kill', 'restart-immediate', 'stop', 'database-behind'] as const),
  ...(['kill', 'restart-fast', 'worker-ahead', 'stop', 'disk', 'worker-behind', 'database-ahead'] as const),
]

const KINDS: readonly Kind[] = ['plain', 'refreshing', 'stories', 'other']

/** Every point that was recorded, in groups whose messages are held at once; each group gets a fault, in turn. */
export function planRuns(recordings: readonly Recording[]): Run[] {
  let turn = 0
  const next = () => ROTATION[turn++ % ROTATION.length] ?? 'kill'
  return KINDS.flatMap((kind) => {
    const refreshes = kind === 'refreshing'
    const points = recordings.filter((each) => each.kind === kind).flatMap((each) => each.points)
    const tried = points.filter(
      (point) =>
        isTried(point) &&
        (!refreshes || OF_REFRESH.test(point.name)) &&
        // A claim is the same whatever the post is.
        (kind === 'plain' || refreshes || point.subject !== 'CALENDAR'),
    )
    const also = (fault: FaultName, which: (point: Recorded) => boolean) =>
      groupsOf(tried.filter(which)).map((group) => runOf(fault, group, kind))
    return [
      ...groupsOf(tried).map((group) => runOf(next(), group, kind)),
      ...(refreshes ? also('hang-token', faultOf('hang-token').fits) : also('hang', changesThings)),
      ...(refreshes ? [] : also('stop-long', isFruitful)),
    ]
  })
}

const changesThings = ({ name }: Recorded) => /^(POST|PUT)/.test(name)

/** Where a worker that goes on could post again. */
const isFruitful = ({ name, nth, side, subject }: Recorded) =>
  subject !== 'CALENDAR' &&
  side === 'after' &&
  (name === 'fence' || (name === 'COMMIT' && nth === 1) || name.startsWith('POST'))

/** Of each network one point: the first of each, then the second, and so on. What strikes a look at the calendar is alone. */
function groupsOf(points: readonly Recorded[]): Recorded[][] {
  const alone = points.filter(({ subject }) => subject === 'CALENDAR').map((point) => [point])
  const groups: Recorded[][] = []
  const filled = new Map<string, number>()
  for (const point of [...points].sort((a, b) => a.atMs - b.atMs)) {
    if (point.subject === 'CALENDAR') continue
    const network = networkOf(point.subject)
    const place = filled.get(network) ?? 0
    filled.set(network, place + 1)
    groups[place] ??= []
    groups[place]?.push(point)
  }
  return [...groups, ...alone]
}

function runOf(fault: FaultName, points: Recorded[], kind: Kind): Run {
  const types = points.flatMap(({ subject }) => (subject === 'CALENDAR' ? QUICK : [subject]))
  return { kind, fault, points, accountTypes: types }
}

/** For each way of posting: to what, and which call of it the world can see. */
const BY_WAY: Readonly<Record<Way, { accountType: AccountType; visible: RegExp }>> = {
  'one call': { accountType: 'GMB', visible: /^POST .*localPosts$/ },
  upload: { accountType: 'TWITTER', visible: /^POST .*tweets$/ },
  container: { accountType: 'THREADS', visible: /threads_publish$/ },
}
export const WAYS = Object.keys(BY_WAY) as Way[]
export const wayOf = (accountType: AccountType): Way => SAMPLES[accountType].way

/** The first strikes points of its own, the other takes as long as all others. */
const OF_SHORT_LEASES: readonly FaultName[] = ['hang-token', 'stop-long']

/**
 * At the default lease: each fault on a network of each way, at its visible call, or on its way to it. The message is there
 * for half of them, and is not for the others.
 */
export function planLongLease(recordings: readonly Recording[]): Run[] {
  const plain = recordings.filter(({ kind }) => kind === 'plain').flatMap(({ points }) => points)
  return FAULT_NAMES.filter((fault) => !OF_SHORT_LEASES.includes(fault)).map((fault, index) => {
    const side = index % 2 === 0 ? 'after' : 'before'
    const points = WAYS.flatMap((way) => {
      const { accountType, visible } = BY_WAY[way]
      const point = plain.find((each) => {
        return each.subject === accountType && each.side === side && visible.test(each.name)
      })
      return point ? [point] : []
    })
    return { fault, points, accountTypes: WAYS.map((way) => BY_WAY[way].accountType), kind: 'plain' }
  })
}
