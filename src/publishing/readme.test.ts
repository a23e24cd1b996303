import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  type Decision,
  type Delivery,
  type DeliveryEvent,
  deliveryDefaults,
  deliveryPolicy,
  type EndedPart,
  followUpRules,
  mayBeLiveMessage,
  next,
  numberOf,
  type PartRules,
  type RefusedStep,
  type Stage,
  type Step,
} from '#domain'

const NOW = new Date('2026-11-22T12:00:00Z')
const later = (ms: number) => new Date(NOW.getTime() + ms)
const policyWith = (...parts: PartRules[]) => deliveryPolicy(deliveryDefaults, { listingDelayMs: 20_000, parts })
const inBetween: PartRules = { ...followUpRules('part 2'), prepares: true, confirms: true, stopsRest: true }
/** Who is asked about in a column: the post, a part that stops the rest, with another one behind it, and a follow-up as the last. */
const COLUMNS = [
  { part: 0, policy: policyWith(followUpRules('first comment')) },
  { part: 1, policy: policyWith(inBetween, followUpRules('first comment')) },
  { part: 1, policy: policyWith(followUpRules('first comment')) },
] as const

const POST: EndedPart = { outcome: 'live', providerId: 'p1', permalink: null, endedAt: NOW }

const delivery = (stage: Stage, part: number, more: Partial<Delivery> = {}): Delivery => ({
  stage,
  ended: Array.from({ length: part }, () => POST),
  attempts: 0,
  lookups: 0,
  missedLooks: 0,
  nextAt: NOW,
  givesUpAt: later(24 * 3_600_000),
  firstFencedAt: stage === 'PREPARING' || stage === 'READY' ? null : NOW,
  fencedAt: stage === 'PREPARING' || stage === 'READY' ? null : NOW,
  unknownSince: stage === 'LOOKING_UP' || stage === 'REPEATING' ? NOW : null,
  message: null,
  warnings: [],
  touched: true,
  pause: null,
  connection: 'open',
  ...more,
})

const reconnect = (mayRefresh: boolean, byRead: boolean) =>
  ({ kind: 'reconnect', mayRefresh, message: '', ...(byRead ? { byRead } : {}) }) as const
const retry = { kind: 'retry', notBefore: null, from: 'prepare', countsAsAttempt: true, message: '' } as const
const wait = { ...retry, notBefore: later(60_000), countsAsAttempt: false } as const
const refused = { kind: 'refused', reason: 'ACTION_BLOCKED', message: '' } as const
const published = { kind: 'published', providerId: 'p1', permalink: null } as const
const accepted = { kind: 'accepted', askAgainAt: later(5_000) } as const
const no = { refreshable: false }

/** Refusals of credentials in a step, and what comes of the demands that they lead to. */
function refusals(
  step: Step,
  report: (outcome: ReturnType<typeof reconnect>, refreshable: boolean) => DeliveryEvent,
): Row[] {
  const of: RefusedStep = { step, reconnect: reconnect(true, false) }
  const asked = step === 'confirm' || step === 'find'
  return [
    ['token refused, refreshable', report(reconnect(true, asked), true)],
    ['– refreshed', { kind: 'refreshed', of }],
    ['– refresh failed in passing', { kind: 'refresh-failed', of, countsAsAttempt: true, message: '' }],
    [
      '– refreshed by another process at the moment',
      { kind: 'refresh-failed', of, countsAsAttempt: false, message: '' },
    ],
    ['– refresh says that it is dead', { kind: 'refresh-dead', of, message: '' }],
    ['a read refused, for good', report(reconnect(false, true), false)],
    ...(step === 'send' ? [['a read refused, refreshable', report(reconnect(true, true), true)] as Row] : []),
    ...(asked
      ? []
      : ([
          ['token refused, for good', report(reconnect(false, false), false)],
          ['– marked as dead', { kind: 'connection-closed', of }],
          ['– connected again meanwhile', { kind: 'connection-renewed', of }],
        ] satisfies Row[])),
  ]
}

type Row = [event: string, event: DeliveryEvent, more?: Partial<Delivery>]

const paused: DeliveryEvent = { kind: 'paused', until: later(60_000), message: '' }
const before: Row[] = [
  ['no connection to send with', { kind: 'unconnected' }],
  ['too late: Almanac was not running', { kind: 'late', why: 'stopped' }],
  ['too late: other posts were ahead', { kind: 'late', why: 'crowded' }],
  ['24 h after its time', { kind: 'over' }],
  ['an error of ours', { kind: 'own-error' }],
]
const call = (kind: 'sent' | 'confirmed'): Row[] => [
  ['published', { kind, outcome: published, ...no }],
  ['accepted', { kind, outcome: accepted, ...no }],
  ['retry', { kind, outcome: retry, ...no }],
  ['retry, the last attempt', { kind, outcome: retry, ...no }, { attempts: 9 }],
  ['asked to wait', { kind, outcome: wait, ...no }],
  [
    'asked to wait for longer than there is time',
    { kind, outcome: { ...wait, notBefore: later(48 * 3_600_000) }, ...no },
  ],
  ['refused', { kind, outcome: refused, ...no }],
  ...refusals(kind === 'sent' ? 'send' : 'confirm', (outcome, refreshable) => ({ kind, outcome, refreshable })),
  ['unknown', { kind, outcome: { kind: 'unknown', message: '' }, ...no }],
]
const looked = (
  outcome: Extract<DeliveryEvent, { kind: 'looked-up' }>['outcome'],
  sinceCallMs = 0,
  sinceFenceMs: number | null = sinceCallMs,
): DeliveryEvent => ({ kind: 'looked-up', outcome, ...no, sinceCallMs, sinceFenceMs })
const cannotTell = { kind: 'cannot-tell', message: '' } as const

/** Of a call that repeats one. */
const doubted = (rows: [string, DeliveryEvent][]): Row[] =>
  rows.map(([event, of]) => [`${event}, of a repeat`, of, { unknownSince: NOW }])

const ROWS: Record<Stage, Row[]> = {
  PREPARING: [
    ['a rule is broken', { kind: 'rules-broken', reason: 'CAPTION_TOO_LONG', message: '' }],
    ['ready', { kind: 'prepared', outcome: { kind: 'ready' }, ...no }],
    ['waiting', { kind: 'prepared', outcome: { kind: 'waiting', askAgainAt: later(10_000) }, ...no }],
    ['retry', { kind: 'prepared', outcome: retry, ...no }],
    ['retry, the last attempt', { kind: 'prepared', outcome: retry, ...no }, { attempts: 9 }],
    ['asked to wait', { kind: 'prepared', outcome: wait, ...no }],
    ['refused', { kind: 'prepared', outcome: refused, ...no }],
    ['a pause of its account or of the app', paused],
    ...refusals('prepare', (outcome, refreshable) => ({ kind: 'prepared', outcome, refreshable })),
    ...before,
  ],
  READY: [
    ['a hold', { kind: 'held' }],
    ['a pause of its account or of the app', paused],
    ['the fence is committed', { kind: 'fenced' }],
    ...before,
  ],
  SENDING: [
    ['taken over without an outcome', { kind: 'interrupted' }],
    ...call('sent'),
    ['its id is the result of another post', { kind: 'taken' }],
    ['an error of ours', { kind: 'own-error' }],
    ...doubted([
      ['retry', { kind: 'sent', outcome: retry, ...no }],
      ['refused', { kind: 'sent', outcome: refused, ...no }],
      ['– refreshed', { kind: 'refreshed', of: { step: 'send', reconnect: reconnect(true, false) } }],
      ['– marked as dead', { kind: 'connection-closed', of: { step: 'send', reconnect: reconnect(false, false) } }],
    ]),
  ],
  CONFIRMING: [
    ...call('confirmed'),
    ['its id is the result of another post', { kind: 'taken' }],
    ['an error of ours', { kind: 'own-error' }],
    [
      'accepted, and the connection is closed',
      { kind: 'confirmed', outcome: accepted, ...no },
      { connection: 'closed' },
    ],
    ['nothing to ask with', { kind: 'unconnected' }, { connection: 'gone' }],
    [
      'refused, and it was a lookup that led here',
      { kind: 'confirmed', outcome: refused, ...no },
      { unknownSince: NOW },
    ],
  ],
  LOOKING_UP: [
    ['found', looked({ ...published, kind: 'found' })],
    ['its id is the result of another post', { kind: 'taken' }],
    ['accepted', looked(accepted)],
    ['accepted, while the call may still go on', looked(accepted, -30_000)],
    ['absent, asked before the listing delay is over', looked({ kind: 'absent' })],
    ['absent, asked too early, and there is no time left', looked({ kind: 'absent' }), overdue()],
    ['absent, while the call may still go on', looked({ kind: 'absent' }, -30_000)],
    ['absent, by the word of the network about this call', looked({ kind: 'absent', byItself: true })],
    ['absent, asked behind it', looked({ kind: 'absent' }, 60_000)],
    ['the same, behind the last attempt', looked({ kind: 'absent' }, 60_000), { attempts: 9 }],
    ['not known, and the same call is safe', looked({ kind: 'repeatable', withinMs: 540_000, message: '' }, 60_000)],
    [
      'the same, and that was the last attempt',
      looked({ kind: 'repeatable', withinMs: 540_000, message: '' }, 60_000),
      { attempts: 9 },
    ],
    [
      'the same, and no one knows since when',
      looked({ kind: 'repeatable', withinMs: 540_000, message: '' }, 60_000, null),
    ],
    ['the same, and its time is over', looked({ kind: 'repeatable', withinMs: 540_000, message: '' }, 600_000)],
    ['cannot tell', looked(cannotTell)],
    ['cannot tell, the last look', looked(cannotTell), { lookups: 8 }],
    ['cannot tell, and the connection is closed', looked(cannotTell), { connection: 'closed' }],
    ['no answer', looked({ ...cannotTell, unanswered: true })],
    ['no answer, and there is no time left', looked({ ...cannotTell, unanswered: true }), overdue()],
    ...refusals('find', (outcome, refreshable) => ({ ...looked(outcome), refreshable }) as DeliveryEvent),
    ['an error of ours', { kind: 'own-error' }],
    ['nothing to ask with', { kind: 'unconnected' }, { connection: 'gone' }],
  ],
  REPEATING: [
    ['the fence is committed', { kind: 'fenced' }],
    ['a hold', { kind: 'held' }],
    ['no connection to send with', { kind: 'unconnected' }],
    ['an error of ours', { kind: 'own-error' }],
  ],
}

function overdue(): Partial<Delivery> {
  return { givesUpAt: NOW, unknownSince: later(-7 * 3_600_000) }
}

function words(decision: Decision, from: Delivery): string {
  switch (decision.kind) {
    case 'open': {
      const { stage, nextAt, attempts } = decision.delivery
      const isNext = numberOf(decision.delivery) > numberOf(from)
      const waits = (nextAt.getTime() - NOW.getTime()) / 1_000
      const counted = !isNext && attempts > from.attempts ? ', counted' : ''
      const which = isNext ? ' of what follows' : ''
      return `\`${stage}\`${which}${waits > 0 ? ` after ${waits} s` : ''}${counted}`
    }
    case 'result': {
      const { status, reason, message, warnings } = decision.result
      if (status === 'POSTED') return warnings ? 'posted, with a warning' : 'posted'
      return message === mayBeLiveMessage ? 'failed: it may be live' : `failed: \`${reason}\``
    }
    case 'refresh':
      return 'refresh the token'
    case 'close-connection':
      return 'mark the connection as dead'
    case 'wait-for-release':
      return 'wait for the release'
  }
}

const hasStage = (stage: Stage, { prepares }: PartRules) => prepares || !['PREPARING', 'CONFIRMING'].includes(stage)

function table(): string {
  const lines = [
    '| State | What happened | The post | A part behind it | A follow-up |',
    '| --- | --- | --- | --- | --- |',
  ]
  for (const [stage, rows] of Object.entries(ROWS) as [Stage, Row[]][]) {
    for (const [name, event, more] of rows) {
      const cells = COLUMNS.map(({ part, policy }) => {
        const rules = policy.parts[part] ?? policy.parts[0]
        if (!hasStage(stage, rules) || (part > 0 && ['late', 'rules-broken'].includes(event.kind))) return '–'
        const attempts = more?.attempts ? { attempts: rules.maxAttempts - 1 } : {}
        const looks = more?.lookups ? { lookups: rules.lookupsMs.length - 1 } : {}
        const from = delivery(stage, part, { ...more, ...attempts, ...looks })
        return words(next(from, event, policy, NOW), from)
      })
      lines.push(`| \`${stage}\` | ${name} | ${cells.join(' | ')} |`)
    }
  }
  return lines.join('\n')
}

test('the table of the page is what the machine does', async () => {
  const page = await readFile(join(import.meta.dirname, 'README.md'), 'utf8')
  const [head, rest] = page.split('<!-- made by readme.test.ts -->\n')
  const tail = rest?.slice(rest.indexOf('<!-- end -->'))
  expect(tail).toBeDefined()
  await expect(`${head}<!-- made by readme.test.ts -->\n${table()}\n${tail}`).toMatchFileSnapshot('README.md')
})
