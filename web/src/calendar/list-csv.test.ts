import { expect, test } from 'vitest'
import type { CalendarCard } from '#contract'
import { csvOf } from './list-csv.ts'

const card: CalendarCard = {
  id: '1',
  socialSetId: '1',
  scheduledAt: '2026-11-08T05:30:00.000Z',
  status: 'SCHEDULED',
  approval: 'NONE',
  isLocked: false,
  lockedBy: null,
  version: 1,
  seriesId: null,
  startsSeries: false,
  labelsId: ['a', 'gone', 'b'],
  networks: [
    { accountType: 'BLUESKY', result: null },
    { accountType: 'TWITTER', result: null },
  ],
  state: 'scheduled',
  excerpt: 'Rye, "spelt"\nand oats',
  thumbnailUrl: null,
  mediaType: null,
  mediaCount: 0,
  kinds: [],
  author: { type: 'USER', name: 'Anna' },
  mine: false,
}
const labels = new Map([
  ['a', { name: 'Autumn' }],
  ['b', { name: 'Bread' }],
])

test('a list is a table with the times of the brand', () => {
  expect(csvOf({ cards: [card], zone: 'Europe/Berlin', labels, texts: new Map() })).toBe(
    'Date,Time,Time zone,Status,Networks,Text,Labels,Author\r\n' +
      '2026-11-08,06:30,Europe/Berlin,Scheduled,"Bluesky, X","Rye, ""spelt""\nand oats","Autumn, Bread",Anna\r\n',
  )
})

test('of each set it has all that its posts say', () => {
  const text = 'Rye\n\nThe dough rests.\n\nFirst comment: More'
  const other = { ...card, id: '2', excerpt: 'Oats' }
  const csv = csvOf({ cards: [card, other], zone: 'UTC', labels, texts: new Map([[card.id, text]]) })
  expect(csv).toContain(`,"${text}",`)
  // One of which nothing more is known keeps what its card says.
  expect(csv).toContain(',Oats,')
})

test.each(['=HYPERLINK("x")', '+1', '-1', '@SUM(A1)', '\tx'])('%j is a text, no formula', (excerpt) => {
  const [, line = ''] = csvOf({
    cards: [{ ...card, excerpt, labelsId: [] }],
    zone: 'UTC',
    labels,
    texts: new Map(),
  }).split('\r\n')
  // Spaces around a text are none of it.
  expect(line).not.toMatch(/(^|,)"?[=+@\t-]/)
})
