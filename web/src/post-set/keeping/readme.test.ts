import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { emptyDraft } from '../draft-shape.ts'
import { copyOf, type Keeping, type KeepingEvent, keep, opened, type Row, type Stored, wants } from './keeping.ts'

const draftOf = (caption: string) => ({ ...emptyDraft('2030-01-01T10:00:00.000Z'), caption })
const [BEGINNING, HERE, THERE] = ['beginning', 'here', 'there'].map(draftOf) as [
  Row['draft'],
  Row['draft'],
  Row['draft'],
]

const after = (now: Keeping, ...events: KeepingEvent[]): Keeping => events.reduce(keep, now)
const answer = (more: Partial<Stored>): KeepingEvent => ({
  type: 'stored',
  answer: { stored: false, sequence: 99, updatedAt: '', ended: null, ...more },
})
const elsewhere = (sequence = 99): KeepingEvent => ({ type: 'read', found: { draft: THERE, version: null, sequence } })

const blank = opened({
  id: 'a',
  postSetId: null,
  version: null,
  initial: BEGINNING,
  copy: null,
  row: null,
  newId: 'a',
})
const written = after(blank, { type: 'typed', draft: HERE, stamp: 10 })
const sent = after(written, { type: 'sent', sequence: 10 })
const stored = after(sent, answer({ stored: true, sequence: 10 }))
const more = after(stored, { type: 'typed', draft: draftOf('here, and more'), stamp: 11 })
const unread = after(sent, answer({}))
const asked = after(unread, elsewhere())
const offered: Keeping = { ...asked, offer: { draft: THERE, sequence: null } }
const discarded = after(stored, { type: 'read', found: 'discarded' })
const saved = after(sent, answer({ ended: 'saved' }))

type Case = [from: string, now: Keeping, events: (readonly [what: string, event: KeepingEvent])[]]

const typed = ['a letter', { type: 'typed', draft: HERE, stamp: 20 }] as const
const discard = ['discarded by the person', { type: 'discarded', stamp: 20 }] as const
const keptThis = ['the person keeps this one', { type: 'kept this', stamp: 20 }] as const
const tookOther = ['the person takes the other one', { type: 'took other', stamp: 20 }] as const
const goesOn = ['the person goes on with it as a new post', { type: 'went on', id: 'b', stamp: 20 }] as const
const savedHere = ['saved', { type: 'saved' }] as const
const savedElsewhere = ['found saved', { type: 'read', found: 'saved' }] as const
const discardedElsewhere = ['found discarded', { type: 'read', found: 'discarded' }] as const
const noAnswer = ['no answer', { type: 'failed', again: true }] as const

const CASES: Case[] = [
  ['nothing is written', blank, [typed]],
  [
    'written',
    written,
    [
      ['it is sent', { type: 'sent', sequence: 10 }],
      ['back to the beginning by hand', { type: 'typed', draft: BEGINNING, stamp: 20 }],
      ['too large for the server', { type: 'failed', again: false }],
      discard,
      savedHere,
    ],
  ],
  [
    'on its way',
    sent,
    [
      ['stored', answer({ stored: true, sequence: 10 })],
      ['the server has what this window sent before', answer({ sequence: 10 })],
      ['the server has what another window wrote', answer({})],
      ['what was there before it was discarded', answer({ ended: 'discarded' })],
      ['it was saved elsewhere', answer({ ended: 'saved' })],
      noAnswer,
      ['a letter', { type: 'typed', draft: HERE, stamp: 20 }],
    ],
  ],
  ['no answer came', after(sent, noAnswer[1]), [['the server answers again', { type: 'reachable' }], typed]],
  [
    'stored',
    stored,
    [
      ['found as it is', { type: 'read', found: { draft: HERE, version: null, sequence: 10 } }],
      ['found as another window wrote it', elsewhere()],
      [
        'found so, over another version of the post',
        { type: 'read', found: { draft: THERE, version: 2, sequence: 99 } },
      ],
      savedElsewhere,
      discardedElsewhere,
      ['back to the beginning by hand', { type: 'typed', draft: BEGINNING, stamp: 20 }],
      discard,
      ['saving, and it was saved elsewhere', { type: 'was saved' }],
      ['saving, and another window wrote', { type: 'changed elsewhere' }],
      savedHere,
    ],
  ],
  [
    'stored, and written on',
    more,
    [['found as another window wrote it', elsewhere()], savedElsewhere, discardedElsewhere],
  ],
  [
    'discarded here, the row is there',
    after(stored, discard[1]),
    [
      ['the row is removed', { type: 'removed' }],
      ['another window has written', { type: 'changed elsewhere' }],
      ['brought back', { type: 'brought back', draft: HERE, stamp: 30 }],
    ],
  ],
  ['another window wrote', unread, [['the row is read', elsewhere()], noAnswer, savedElsewhere, discardedElsewhere]],
  [
    'asked about the row',
    asked,
    [typed, keptThis, tookOther, discard, ['another window wrote again', elsewhere(120)], savedElsewhere, savedHere],
  ],
  ['asked about a copy', offered, [keptThis, tookOther, ['another window wrote', elsewhere(120)]]],
  ['discarded elsewhere', discarded, [typed, keptThis, discard]],
  ['saved elsewhere', saved, [typed, goesOn, discard]],
  ['over', after(stored, savedHere[1]), [typed, ['found as another window wrote it', elsewhere()]]],
]

function cellsOf(now: Keeping): string[] {
  const { phase, draft, offer, trouble, id } = now
  const copy = copyOf(now)
  const where = [...(id === 'a' ? [] : ['under a new id']), ...(trouble === 'none' ? [] : [`trouble: \`${trouble}\``])]
  return [
    [`\`${phase}\``, ...where].join(', '),
    offer ? `${draft.caption}; beside it ${offer.draft.caption}` : draft.caption,
    copy ? `${copy.draft.caption}${copy.isStored ? ', stored' : ''}` : '–',
    wants(now) ?? '–',
  ]
}

function table(): string {
  const lines = ['| From | Event | To | On the screen | Copy | After |', '| --- | --- | --- | --- | --- | --- |']
  for (const [from, now, events] of CASES) {
    for (const [what, event] of events) {
      lines.push(`| \`${now.phase}\`: ${from} | ${what} | ${cellsOf(keep(now, event)).join(' | ')} |`)
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

test('the table has every event', () => {
  const had = new Set(CASES.flatMap(([, , events]) => events.map(([, { type }]) => type)))
  // These change nothing that the table shows.
  const rest = ['copied', 'saving'] satisfies KeepingEvent['type'][]
  const all: Record<KeepingEvent['type'], true> = {
    typed: true,
    'brought back': true,
    copied: true,
    sent: true,
    stored: true,
    removed: true,
    'changed elsewhere': true,
    failed: true,
    reachable: true,
    read: true,
    'took other': true,
    'kept this': true,
    'went on': true,
    discarded: true,
    saving: true,
    'was saved': true,
    saved: true,
  }
  expect([...had, ...rest].toSorted()).toEqual(Object.keys(all).toSorted())
})
