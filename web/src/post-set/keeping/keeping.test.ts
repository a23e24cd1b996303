import fc from 'fast-check'
import { expect, test } from 'vitest'
import { emptyDraft } from '../draft-shape.ts'
import {
  type Copy,
  copyOf,
  type Found,
  isChanged,
  type Keeping,
  keep,
  mayLook,
  opened,
  type Row,
  type Stored,
  wants,
} from './keeping.ts'

const initial = emptyDraft('2030-01-01T10:00:00.000Z')
const draftOf = (caption: string) => ({ ...initial, caption })
const blank = (more: Partial<Parameters<typeof opened>[0]> = {}) =>
  opened({ id: 'a', postSetId: null, version: null, initial, copy: null, row: null, newId: 'a', ...more })
const row = (caption: string, sequence: number, version: number | null = null): Row => ({
  draft: draftOf(caption),
  version,
  sequence,
})
const copy = (caption: string, sequence: number, more: Partial<Copy> = {}): Copy => ({
  ...{ id: 'a', draft: draftOf(caption), version: null, sequence, seen: 0, own: [], isStored: false },
  ...more,
})
const shown = ({ phase, draft, offer }: Keeping) => [phase, draft.caption, offer?.draft.caption ?? null]

test.each([
  ['nothing is kept', {}, ['open', '', null]],
  ['the server has it', { row: row('there', 5) }, ['open', 'there', null]],
  ['both have it', { row: row('there', 5), copy: copy('there', 5) }, ['open', 'there', null]],
  ['this browser is ahead', { row: row('there', 5), copy: copy('here', 7, { seen: 5 }) }, ['open', 'here', null]],
  [
    'an answer was lost',
    { row: row('there', 6), copy: copy('here', 7, { seen: 5, own: [6] }) },
    ['open', 'here', null],
  ],
  ['the server is ahead', { row: row('there', 9), copy: copy('here', 5, { isStored: true }) }, ['open', 'there', null]],
  ['written apart', { row: row('there', 9), copy: copy('here', 7, { seen: 5 }) }, ['asked', 'there', 'here']],
  ['the server is away', { row: 'unreachable', copy: copy('here', 7, { seen: 5 }) }, ['open', 'here', null]],
  ['it ended elsewhere', { copy: copy('here', 7, { seen: 7, isStored: true }) }, ['open', '', null]],
  ['it ended elsewhere, and this browser has more', { copy: copy('here', 8, { seen: 7 }) }, ['open', 'here', null]],
  [
    'this browser ahead of an older version',
    { postSetId: 'a', version: 2, row: row('there', 5, 1), copy: copy('here', 7, { version: 1, seen: 5 }) },
    ['asked', '', 'here'],
  ],
  [
    'it was saved, and the answer was lost',
    { row: 'saved', copy: copy('here', 7, { seen: 5 }) },
    ['saved', 'here', null],
  ],
  ['it was saved elsewhere', { row: 'saved', copy: copy('here', 7, { isStored: true }) }, ['open', '', null]],
  ['an older version of the post', { postSetId: 'a', version: 2, row: row('there', 5, 1) }, ['asked', '', 'there']],
  [
    'the same in this browser',
    { postSetId: 'a', version: 2, copy: copy('here', 5, { version: 1 }) },
    ['asked', '', 'here'],
  ],
] as [string, Parameters<typeof blank>[0], unknown[]][])('a composer opens: %s', (_, given, expected) => {
  expect(shown(blank(given))).toEqual(expected)
})

test('a new post that has ended elsewhere begins under another id', () => {
  // Of which no letter is left; else the window that has it open would make a second post of it.
  expect(blank({ copy: copy('here', 7, { seen: 7, isStored: true }), newId: 'b' }).id).toBe('b')
  expect(blank({ copy: copy('here', 8, { seen: 7 }), newId: 'b' }).id).toBe('a')
  expect(blank({ newId: 'b' }).id).toBe('b')
  expect(blank({ postSetId: 'a', version: 1, newId: 'b' }).id).toBe('a')
})

const answer = (more: Partial<Stored>): Stored => ({
  stored: false,
  sequence: 99,
  updatedAt: 'now',
  ended: null,
  ...more,
})
const written = keep(keep(blank(), { type: 'typed', draft: draftOf('here'), stamp: 10 }), {
  type: 'sent',
  sequence: 10,
})

test.each([
  ['it is stored', answer({ stored: true, sequence: 10 }), 'open', null],
  ['this browser was faster than itself', answer({ sequence: 10 }), 'open', 'store'],
  ['another page wrote', answer({}), 'asked', 'read'],
  ['it was discarded', answer({ ended: 'saved' }), 'saved', null],
] as const)('what was sent is answered: %s', (_, answered, phase, wanted) => {
  const now = keep(written, { type: 'stored', answer: answered })
  expect([now.phase, wants(now), now.draft.caption]).toEqual([phase, wanted, 'here'])
})

test('what ends in another window is asked about, and nothing is stored until then', () => {
  const stored = keep(written, { type: 'stored', answer: answer({ stored: true, sequence: 10 }) })
  const more = keep(stored, { type: 'typed', draft: draftOf('here, more'), stamp: 11 })
  const gone = keep(more, { type: 'read', found: 'discarded' })
  expect([gone.phase, wants(gone), copyOf(gone)?.draft.caption]).toEqual(['discarded', null, 'here, more'])
  const kept = keep(gone, { type: 'kept this', stamp: 12 })
  expect([kept.phase, wants(kept)]).toEqual(['open', 'store'])
  const saved = keep(more, { type: 'read', found: 'saved' })
  const on = keep(saved, { type: 'went on', id: 'b', stamp: 12 })
  expect([on.phase, on.id, wants(on), on.seen]).toEqual(['open', 'b', 'store', 0])
})

test('what is put back by hand is no text to keep', () => {
  const stored = keep(written, { type: 'stored', answer: answer({ stored: true, sequence: 10 }) })
  const back = keep(stored, { type: 'typed', draft: initial, stamp: 11 })
  expect([wants(back), copyOf(back)]).toEqual(['remove', null])
  expect(wants(keep(back, { type: 'removed' }))).toBeNull()
})

test('a new post in which nothing is written is none, also at another time', () => {
  const later = { ...initial, at: '2030-01-02T10:00:00.000Z' }
  const moved = keep(blank(), { type: 'typed', draft: later, stamp: 11 })
  expect([wants(moved), copyOf(moved)]).toEqual([null, null])
  const edited = keep(blank({ postSetId: 'a', version: 2 }), { type: 'typed', draft: later, stamp: 11 })
  expect(wants(edited)).toBe('store')
})

test('a text that is saved another way is another save', () => {
  const first = keep(written, { type: 'saving', ending: 'draft', stamp: 20 })
  expect(keep(first, { type: 'saving', ending: 'draft', stamp: 30 }).sequence).toBe(first.sequence)
  expect(keep(first, { type: 'saving', ending: 'schedule', stamp: 30 }).sequence).toBe(30)
})

// A world of one text: devices with two pages each that may be reloaded, killed and offline, and the server's rules as
// src/operations/kept-drafts/README.md has them. Letters are numbers: each is in one text that was typed.

interface Server {
  row: { text: string; sequence: number; writer: string; ended: 'discarded' | 'saved' | null } | null
  posts: string[]
}

interface Page {
  device: number
  writer: string
  now: Keeping
  /** What is on its way, and what the server has said to it. */
  way: { text: string; answer: Stored } | null
}

type Act = { page: number; what: (typeof ACTS)[number] }
const ACTS = [
  // Written, sent and answered.
  ...[
    'write',
    'write',
    'write',
    'type',
    'type',
    'settle',
    'settle',
    'settle',
    'lose',
    'look',
    'reload',
    'kill',
    'join',
  ],
  ...['discard', 'save', 'save, answer lost', 'choose this', 'choose other', 'go on'],
] as const

function world() {
  let stamp = 1
  let letters = 0
  let ids = 0
  const server = new Map<string, Server>()
  const copies = new Map<string, Copy>()
  const given = new Set<string>()
  /** Texts that are written under two ids: somebody goes on with one as a new post. */
  const wentOn = new Set<string>()
  const of = (id: string): Server => {
    const found = server.get(id) ?? { row: null, posts: [] }
    server.set(id, found)
    return found
  }
  const put = (id: string, writer: string, { draft, sequence, seen }: Keeping): Stored => {
    const there = of(id)
    const { row: was } = there
    const refused =
      there.posts.length > 0 ||
      (was && (was.ended === 'saved' || sequence < was.sequence || (was.writer !== writer && was.sequence !== seen)))
    if (!refused) there.row = { text: draft.caption, sequence, writer, ended: null }
    const ended = there.posts.length > 0 ? 'saved' : refused ? (was?.ended ?? null) : null
    const stored = !refused && there.row?.sequence === sequence
    return { stored, sequence: there.row?.sequence ?? sequence, updatedAt: 'now', ended }
  }
  const look = (id: string): Found => {
    const { row: was, posts } = of(id)
    if (posts.length > 0) return 'saved'
    return was && was.ended === null ? { draft: draftOf(was.text), version: null, sequence: was.sequence } : 'discarded'
  }
  const newest = (device: number, id: string) =>
    [...copies]
      .filter(([key, each]) => key.startsWith(`${device} `) && each.id === id)
      .map(([, each]) => each)
      .toSorted((one, other) => other.sequence - one.sequence)[0] ?? null
  const open = (device: number, id: string, newId = `n${++ids}`): Page => {
    const found = look(id)
    const copyHere = newest(device, id)
    const there =
      typeof found === 'string' ? (found === 'saved' && copyHere?.isStored === false ? 'saved' : null) : found
    const now = blank({ id, copy: copyHere, row: there, newId })
    // What another window still writes, and a third one has discarded, has an id of its own here.
    if (now.id !== id && now.draft.caption !== '') wentOn.add(now.draft.caption)
    return keepCopy({ device, writer: `w${++ids}`, now, way: null })
  }
  const keepCopy = (page: Page): Page => {
    const key = `${page.device} ${page.now.id} ${page.writer}`
    const what = copyOf(page.now)
    if (what) copies.set(key, what)
    else if (page.now.phase !== 'asked') copies.delete(key)
    return page
  }
  const forgetOthers = ({ device, now, writer }: Page, seen = Number.POSITIVE_INFINITY) => {
    for (const [key, each] of copies) {
      if (!each.isStored && each.sequence > seen) continue
      if (key.startsWith(`${device} `) && each.id === now.id && !key.endsWith(` ${writer}`)) {
        given.add(each.draft.caption)
        copies.delete(key)
      }
    }
  }
  const move = (page: Page, event: Parameters<typeof keep>[1]) => {
    const before = page.now
    page.now = keep(before, event)
    if (page.now.id !== before.id) page.way = null
    keepCopy(page)
  }
  const settle = (page: Page) => {
    if (page.way) {
      const { answer: said } = page.way
      page.way = null
      return move(page, { type: 'stored', answer: said })
    }
    const wanted = wants(page.now)
    if (wanted === 'read') return move(page, { type: 'read', found: look(page.now.id) })
    if (wanted === 'store') {
      const { sequence, draft, id } = page.now
      const before = page.now
      move(page, { type: 'sent', sequence })
      page.way = { text: draft.caption, answer: put(id, page.writer, before) }
    }
    if (wanted === 'remove') {
      const there = of(page.now.id)
      const { row: was } = there
      if (was && was.ended === null && was.writer !== page.writer && was.sequence !== page.now.seen) {
        return move(page, { type: 'changed elsewhere' })
      }
      if (was && was.ended === null) {
        there.row = {
          ...was,
          ended: 'discarded',
          writer: page.writer,
          sequence: Math.max(was.sequence, page.now.sequence) + 1,
        }
      }
      move(page, { type: 'removed' })
    }
  }
  const save = (page: Page, isAnswered: boolean) => {
    if (!isChanged(page.now) || page.now.phase === 'over') return
    const { id, draft, seen } = page.now
    const there = of(id)
    const { row: was } = there
    // The same again is answered with the first one.
    if (there.posts.length > 0) return move(page, { type: was?.sequence === page.now.sequence ? 'saved' : 'was saved' })
    if (was && was.ended === null && was.writer !== page.writer && was.sequence !== seen) {
      return move(page, { type: 'changed elsewhere' })
    }
    // What the row had was seen, or this page's own.
    if (was) given.add(was.text)
    there.posts.push(draft.caption)
    there.row = { text: '', sequence: page.now.sequence, writer: page.writer, ended: 'saved' }
    if (!isAnswered) return
    const upTo = Math.max(seen, page.now.sequence)
    move(page, { type: 'saved' })
    forgetOthers(page, upTo)
  }
  const pages = [0, 0, 1].map((device) => open(device, 'a', 'a'))
  const typed = new Set<string>()
  return {
    pages,
    server,
    copies,
    given,
    typed,
    wentOn,
    act({ page: index, what }: Act) {
      if (what === 'write') {
        for (const step of ['type', 'settle', 'settle'] as const) this.act({ page: index, what: step })
        return
      }
      const page = pages[index]
      if (!page) return
      const { now } = page
      if (what === 'type' && now.phase !== 'over') {
        const text = `${now.draft.caption}.${++letters}`
        // It goes on from what was there.
        given.add(now.draft.caption)
        move(page, { type: 'typed', draft: draftOf(text), stamp: ++stamp })
        typed.add(text)
      }
      if (what === 'settle') settle(page)
      if (what === 'lose' && page.way) {
        page.way = null
        move(page, { type: 'failed', again: true })
        move(page, { type: 'reachable' })
      }
      if (what === 'look' && mayLook(now)) move(page, { type: 'read', found: look(now.id) })
      if (what === 'reload') pages[index] = open(page.device, now.phase === 'over' ? `n${++ids}` : now.id)
      if (what === 'kill') pages[index] = open(1 - page.device, now.phase === 'over' ? `n${++ids}` : now.id)
      if (what === 'join' && pages[0]) pages[index] = open(page.device, pages[0].now.id)
      if (what === 'discard' && now.phase !== 'over') {
        given.add(now.draft.caption)
        forgetOthers(page)
        move(page, { type: 'discarded', stamp: ++stamp })
      }
      if (what === 'save' || what === 'save, answer lost') save(page, what === 'save')
      if (what === 'choose this' && (now.offer || now.phase === 'discarded')) {
        if (now.offer) given.add(now.offer.draft.caption)
        forgetOthers(page)
        move(page, { type: 'kept this', stamp: ++stamp })
      }
      if (what === 'choose other' && now.offer) {
        given.add(now.draft.caption)
        forgetOthers(page)
        move(page, { type: 'took other', stamp: ++stamp })
      }
      if (what === 'go on' && now.phase === 'saved') move(page, { type: 'went on', id: `n${++ids}`, stamp: ++stamp })
    },
    settleAll() {
      for (let round = 0; round < 40; round++) for (const page of pages) settle(page)
    },
  }
}

const acts = fc.array(fc.record({ page: fc.nat(2), what: fc.constantFrom(...ACTS) }), { maxLength: 60, size: 'max' })

test('no text is lost, and what was saved is saved once', () => {
  fc.assert(
    fc.property(acts, (each) => {
      const it = world()
      for (const act of each) it.act(act)
      it.settleAll()
      const somewhere = new Set([
        ...it.pages.flatMap(({ now }) => [now.draft.caption, now.offer?.draft.caption ?? '']),
        ...[...it.copies.values()].map(({ draft }) => draft.caption),
        ...[...it.server.values()].flatMap(({ row: there, posts }) => [
          ...(there?.ended === null ? [there.text] : []),
          ...posts,
        ]),
      ])
      // Each text that a person neither went on from nor gave up is where they find it.
      expect([...it.typed].filter((text) => !it.given.has(text) && !somewhere.has(text))).toEqual([])
      // Each text is one post, unless somebody has gone on with it as a new one.
      const posts = [...it.server.values()].flatMap((there) => there.posts)
      const doubled = posts.filter((text, index) => posts.indexOf(text) !== index)
      if (!each.some(({ what }) => what === 'go on')) {
        expect(doubled.filter((text) => ![...it.wentOn].some((begun) => text.startsWith(begun)))).toEqual([])
      }
    }),
    { numRuns: 3_000 },
  )
})

test('all comes to rest: no page asks the server for ever', () => {
  fc.assert(
    fc.property(acts, (each) => {
      const it = world()
      for (const act of each) it.act(act)
      it.settleAll()
      for (const { now, way } of it.pages) expect([wants(now), way]).toEqual([null, null])
    }),
    { numRuns: 1_000 },
  )
})
