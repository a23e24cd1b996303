import { NOTE_COLORS } from '#contract'
import type { Seeds } from './dashboard-seed.ts'

/** Captions as a bakery writes them: 60 to 110 characters. */
const CAPTIONS = [
  'Monday is rye day. Dark, moist, slow. Out of the oven at 6:40 and gone by noon, as always.',
  'Door 1 of our Advent calendar: a butter star for everyone who says good morning before nine.',
  'We are looking for a pastry chef who likes early mornings and bad radio. Full time, four-day week.',
  'Twenty-seven layers of butter and patience. How our croissants are made, in one minute.',
  'Meet our night baker. She shapes 400 loaves before you wake up, and sings while she does it.',
  'Weekend order list is open: stollen, star bread and the big 2 kg country loaf. Until Friday noon.',
  'Saturday queue forecast: short until nine, lively until eleven, bring a friend after that.',
  'Our stollen rests for three weeks. We do not. First slices at the counter from today.',
  'What we learned from baking with old grains for a year: a short read for colleagues.',
  'How do you keep bread fresh? Cut side down, linen over it, never the fridge. More in the thread.',
  'Lunch today: pumpkin soup with a heel of spelt bread, 6.50 € until it is gone.',
  'Four-second tour through our oven: 260 degrees, stone floor, no camera survived longer.',
  'Where our wheat grows: a visit to the farmers in the Uckermark, with muddy shoes.',
  'Christmas opening hours, all in one picture. Save it, print it, send it to your aunt.',
]

/** How many posts there are on each day, day after day: mostly one or two, rarely many. */
const POSTS_A_DAY = [1, 2, 1, 2, 1, 1, 1, 1, 2, 2, 2, 2, 7, 1, 2, 1, 1, 3, 2, 1, 1, 2, 1, 1, 1, 0, 0, 1, 1, 0, 1]
/** UTC. In the middle of the day two are at the same time. */
const TIMES = ['07:00', '11:00', '11:00', '15:30', '16:45', '08:15', '18:00']
const NOTES = [
  ['06', 'St Nicholas', NOTE_COLORS[2]],
  ['11', 'Order list closes', NOTE_COLORS[0]],
  ['16', 'Photo day', NOTE_COLORS[5]],
  ['24', 'Shops close 14:00', NOTE_COLORS[6]],
  ['25', 'Closed', NOTE_COLORS[6]],
] as const
const TYPES = ['BLUESKY', 'TWITTER', 'THREADS'] as const

/**
 * A month as full as a brand's is that publishes daily: pictures on two posts of three, drafts, approvals and notes.
 *
 * @param month `2030-06`; of the future, so that nothing is published
 */
export async function fillMonth(seed: Seeds, month: string): Promise<void> {
  const pictures = [await seed.media('photo.jpg'), await seed.media('transparent.png')]
  const { daysInMonth } = Temporal.PlainYearMonth.from(month)
  let made = 0
  for (let day = 1; day <= daysInMonth; day++) {
    for (let post = 0; post < (POSTS_A_DAY[day - 1] ?? 0); post++) {
      const mediaLibraryId = pictures[made % pictures.length]
      const media = made % 3 === 2 ? [] : [{ mediaLibraryId, altText: 'Bread' }]
      const types = TYPES.slice(0, 1 + (made % TYPES.length))
      await seed.postSet({
        scheduledAt: `${month}-${String(day).padStart(2, '0')}T${TIMES[post]}:00Z`,
        status: made % 5 === 4 ? 'DRAFT' : 'SCHEDULED',
        approval: made % 7 === 6 ? 'PENDING' : 'NONE',
        posts: types.map((accountType) => ({ accountType, caption: CAPTIONS[made % CAPTIONS.length], media })),
      })
      made++
    }
  }
  for (const [day, content, hexColor] of NOTES) {
    await seed.note({ scheduledAt: `${month}-${day}T00:00:00Z`, content, hexColor })
  }
}
