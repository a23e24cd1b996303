import type { AccountType } from '#contract'

/** Drawn by scripts/make-demo-pictures.mjs, each with a thumbnail beside it. */
export const PICTURES = {
  harbor: 'A sailing boat in front of colorful houses',
  hills: 'Hills at sunrise, with mist in the valleys',
  latte: 'A cup of latte on a wooden table, seen from above',
  dusk: 'A lit shop window at dusk',
  citrus: 'A glass of cold brew with slices of orange',
  pour: 'Coffee drips through a filter into a glass jug',
} as const
export type Picture = keyof typeof PICTURES

export const LABELS = {
  launch: ['Launch', '#cb4f0b'],
  people: ['People', '#0b866d'],
  tips: ['Tips', '#6267ea'],
} as const
export type LabelKey = keyof typeof LABELS

/** A post of the demo account. `day` counts from today in the brand's zone: none is on the day of the first start itself. */
export interface Planned {
  day: number
  time: string
  on: readonly AccountType[]
  caption: string
  /** Several make a carousel. */
  pictures?: readonly Picture[]
  /** On Instagram and Facebook. */
  story?: boolean
  /** Of Bluesky, Threads and X: what follows the caption. */
  thread?: readonly string[]
  label?: LabelKey
  status?: 'DRAFT' | 'SCHEDULED'
  approval?: 'NONE' | 'PENDING' | 'EXTERNAL_PENDING' | 'APPROVED' | 'DENIED'
  repeat?: { interval: 'WEEK'; occurrences: number }
  /** Of the past: where it failed; posted everywhere else. */
  failed?: readonly AccountType[]
}

const PICTURED = ['INSTAGRAM', 'FACEBOOK', 'PINTEREST'] as const
const TALK = ['THREADS', 'BLUESKY', 'TWITTER'] as const

/** No mention of a season, weekday or holiday, because Almanac may be tried on any day. */
export const PAST: readonly Planned[] = [
  {
    ...{ day: -1, time: '17:30', on: ['TWITTER'] },
    caption: 'Last bags of the house blend from this roast: when they are gone, they are gone.',
  },
  {
    ...{ day: -2, time: '08:00', on: ['INSTAGRAM', 'BLUESKY', 'THREADS', 'LINKEDIN_PAGE'] },
    ...{ pictures: ['latte'], label: 'people' },
    caption: 'Meet the hands behind the hearts: Noor has poured 40,000 lattes at our bar, and counting.',
  },
  {
    ...{ day: -3, time: '12:30', on: TALK, label: 'tips' },
    caption: 'Hot take: the best coffee gear is a burr grinder and a kettle that you like to look at.',
  },
  {
    ...{ day: -4, time: '09:00', on: PICTURED, pictures: ['hills', 'pour'], label: 'launch' },
    caption: 'The new harvest has landed. From the hills of Huila, picked by hand, in your cup this week.',
  },
  {
    ...{ day: -6, time: '18:00', on: ['INSTAGRAM', 'FACEBOOK'], pictures: ['dusk'] },
    caption: 'Lights on, kettles on. We are here until nine.',
  },
  {
    ...{ day: -7, time: '10:00', on: ['LINKEDIN_PAGE', 'LINKEDIN_PERSONAL'] },
    ...{ pictures: ['harbor'], label: 'people' },
    caption: 'We are hiring a second roaster. You bring the nose, we bring the beans.',
  },
  {
    ...{ day: -9, time: '12:00', on: ['BLUESKY', 'THREADS'], label: 'tips' },
    caption: 'Water first: if it does not taste good from the tap, it will not taste good as coffee.',
    thread: ['Boil it, then wait for half a minute.', 'And rinse the filter. Paper tastes of paper.'],
  },
  {
    ...{ day: -10, time: '08:30', on: ['INSTAGRAM', 'PINTEREST'], pictures: ['citrus'] },
    caption: 'Espresso, tonic, a slice of orange. In this order.',
  },
  {
    ...{ day: -12, time: '16:00', on: ['GMB', 'FACEBOOK'] },
    caption: 'New: oat, almond and hazelnut, all at the same price as milk.',
  },
  {
    ...{ day: -13, time: '09:00', on: PICTURED, pictures: ['pour'], label: 'tips' },
    caption: 'A slow pour in three steps: bloom, spiral, wait.',
  },
  {
    ...{ day: -15, time: '17:00', on: ['INSTAGRAM'], pictures: ['latte'], story: true },
    caption: 'Today at the bar',
  },
  {
    ...{ day: -16, time: '12:30', on: TALK },
    caption: 'You asked, we measured: a flat white at our bar is 150 ml. Now you know.',
  },
  {
    ...{ day: -18, time: '10:00', on: ['LINKEDIN_PAGE'], pictures: ['hills'], label: 'people' },
    caption: 'What we pay our growers, in four numbers, and why we publish them.',
  },
  {
    ...{ day: -20, time: '08:30', on: ['INSTAGRAM', 'FACEBOOK', 'THREADS'], pictures: ['harbor'] },
    caption: 'The view from the roastery. Somebody has to work here.',
  },
  {
    ...{ day: -22, time: '18:00', on: ['INSTAGRAM', 'THREADS'], pictures: ['dusk'] },
    caption: 'Late opening on the canal, with a saxophone this time.',
  },
  {
    ...{ day: -24, time: '12:00', on: ['BLUESKY', 'TWITTER'], label: 'tips' },
    caption: 'Store beans in the bag they came in: dry, dark and closed. Not in the fridge.',
  },
  {
    ...{
      day: -25,
      time: '09:00',
      on: ['INSTAGRAM', 'PINTEREST'],
      pictures: ['latte', 'citrus', 'pour'],
      label: 'launch',
    },
    caption: 'Three cups, one bean: what the way of brewing does to Huila.',
  },
  {
    ...{ day: -27, time: '16:00', on: ['FACEBOOK', 'GMB'] },
    caption: 'We have moved the bar two meters to the left. You will be surprised.',
  },
  {
    ...{ day: -29, time: '10:00', on: ['LINKEDIN_PAGE', 'BLUESKY'], pictures: ['hills'], label: 'people' },
    caption: 'Back from origin: two weeks, nine farms, four hundred cups.',
  },
  // So long ago that it alarms no one. *Results* has it.
  {
    ...{ day: -40, time: '17:30', on: ['THREADS'], failed: ['THREADS'] },
    caption: 'A quiet corner, a good book, a second cup. What are you reading?',
  },
]

export const AHEAD: readonly Planned[] = [
  {
    ...{ day: 1, time: '08:30', on: ['INSTAGRAM', 'FACEBOOK', 'BLUESKY'], pictures: ['pour'] },
    ...{ label: 'tips', status: 'SCHEDULED' },
    caption: 'Three minutes, fifteen grams, one quiet morning. How do you brew yours?',
  },
  {
    ...{ day: 2, time: '18:00', on: ['INSTAGRAM', 'THREADS'], pictures: ['dusk'] },
    ...{ status: 'SCHEDULED', repeat: { interval: 'WEEK', occurrences: 4 } },
    caption: 'Late opening on the canal: we roast until nine, and the door is open.',
  },
  {
    ...{ day: 3, time: '10:00', on: ['LINKEDIN_PAGE'], pictures: ['harbor'], label: 'people', approval: 'PENDING' },
    caption: 'Why we moved our roastery to the harbor, and what it did to our delivery times.',
  },
  {
    ...{ day: 3, time: '16:00', on: ['BLUESKY', 'THREADS', 'TWITTER'], status: 'SCHEDULED' },
    caption: 'A question for the regulars: bring back the cardamom bun, yes or yes?',
  },
  {
    ...{ day: 4, time: '11:00', on: ['INSTAGRAM', 'PINTEREST'], pictures: ['citrus'] },
    ...{ label: 'launch', approval: 'APPROVED' },
    caption: 'Cold brew, a slice of orange, a lot of ice. New on the menu.',
  },
  {
    ...{ day: 4, time: '17:00', on: ['INSTAGRAM', 'FACEBOOK'], pictures: ['latte'] },
    ...{ label: 'people', approval: 'EXTERNAL_PENDING' },
    caption: 'Latte art for beginners: eight places, one very patient teacher.',
  },
  { day: 5, time: '09:30', on: ['BLUESKY'], caption: 'Draft: new opening hours at the bar' },
  {
    ...{ day: 6, time: '11:30', on: ['INSTAGRAM', 'THREADS'], pictures: ['hills'] },
    ...{ label: 'launch', approval: 'EXTERNAL_PENDING' },
    caption: 'Huila, one year later: what became of the trees that we planted together.',
  },
  {
    ...{ day: 8, time: '12:30', on: TALK, label: 'tips', status: 'SCHEDULED' },
    caption: 'Five things that we wish somebody had said to us about grinders.',
    thread: [
      '1. Burrs, not blades.',
      '2. Grind what you brew now, not what you drink tomorrow.',
      '3. Finer is not stronger.',
    ],
  },
  {
    ...{ day: 10, time: '09:00', on: PICTURED, pictures: ['citrus', 'latte'], label: 'launch', status: 'SCHEDULED' },
    caption: 'The new menu, one cup after the other.',
  },
  {
    ...{ day: 11, time: '17:00', on: ['INSTAGRAM', 'FACEBOOK'], pictures: ['dusk'], story: true, status: 'SCHEDULED' },
    caption: 'The bar tonight',
  },
  {
    ...{ day: 13, time: '10:00', on: ['LINKEDIN_PAGE'], pictures: ['hills'], label: 'people', status: 'SCHEDULED' },
    caption: 'Our year with the growers of Huila, in ten pictures.',
  },
  {
    ...{ day: 15, time: '08:30', on: ['INSTAGRAM', 'THREADS'], pictures: ['pour'], label: 'tips', status: 'SCHEDULED' },
    caption: 'The filter that you forgot at the back of the cupboard makes the best cup of the day.',
  },
  {
    ...{ day: 17, time: '12:00', on: ['GMB', 'FACEBOOK'], status: 'SCHEDULED' },
    caption: 'Beans by the kilo: 10 percent off when you bring your own tin.',
  },
  {
    ...{ day: 18, time: '16:00', on: TALK, status: 'SCHEDULED' },
    caption: 'Oat or dairy? Noor has an opinion. Noor always has an opinion.',
  },
  {
    ...{ day: 20, time: '09:00', on: ['INSTAGRAM', 'PINTEREST'], pictures: ['harbor'] },
    caption: 'A morning at the harbor, from first light to first cup',
  },
  {
    ...{ day: 22, time: '11:00', on: ['LINKEDIN_PAGE'], label: 'people' },
    caption: 'Draft: what our apprentices learn in their first month',
  },
  {
    ...{ day: 25, time: '10:00', on: ['INSTAGRAM', 'FACEBOOK'], pictures: ['latte'], label: 'launch' },
    caption: 'Draft: the second latte art evening',
  },
  {
    ...{ day: 27, time: '12:30', on: ['BLUESKY', 'THREADS'], label: 'tips' },
    caption: 'Draft: how to descale a machine without crying',
  },
  {
    ...{ day: 29, time: '09:00', on: ['INSTAGRAM', 'PINTEREST'], pictures: ['citrus'] },
    caption: 'Draft: three recipes with cold brew',
  },
]

export const NOTES = [
  { day: -14, content: 'Photographer at the bar', hexColor: '#e4f8e2' },
  { day: 1, content: 'Farmers’ market: photos for next week', hexColor: '#e4f8e2' },
  { day: 4, content: 'New menu goes live', hexColor: '#fff0db' },
  { day: 16, content: 'Tasting with the growers', hexColor: '#e4f8e2' },
] as const
