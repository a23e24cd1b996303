import { t } from '@lingui/core/macro'
import type { CalendarCard, Label } from '#contract'
import { networkName } from '../design/network-icon.tsx'
import { networksOf, stateWords } from '../planning/posts/card-words.ts'
import { wallTime } from '../time/zones.ts'

interface Table {
  cards: readonly CalendarCard[]
  zone: string
  labels: ReadonlyMap<string, Pick<Label, 'name'>>
  /** All that posts say, by the ids of their sets; of one without, what its card says. */
  texts: ReadonlyMap<string, string>
  /** Of the brand of a card, where the list is of several. */
  brandOf?: ((card: CalendarCard) => string) | undefined
}

/** The list as a table for spreadsheets (RFC 4180): with what the screen shows, and all of each text. */
export function csvOf({ cards, zone, labels, texts, brandOf }: Table): string {
  const head = [
    ...(brandOf ? [t`Brand`] : []),
    t`Date`,
    t`Time`,
    t`Time zone`,
    t`Status`,
    t`Networks`,
    t`Text`,
    t`Labels`,
    t`Author`,
  ]
  const lines = cards.map((card) => {
    const wall = wallTime(card.scheduledAt, zone)
    return [
      ...(brandOf ? [brandOf(card)] : []),
      wall.toPlainDate().toString(),
      wall.toPlainTime().toString({ smallestUnit: 'minute' }),
      zone,
      stateWords(card),
      networksOf(card).map(networkName).join(', '),
      (texts.get(card.id) ?? card.excerpt).trim(),
      card.labelsId.flatMap((id) => labels.get(id)?.name ?? []).join(', '),
      card.author.name,
    ]
  })
  return [head, ...lines].map((line) => `${line.map(field).join(',')}\r\n`).join('')
}

/** A text that begins like a formula is none: spreadsheets run those. */
function field(text: string): string {
  const plain = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain
}
