import { apiClient, type Page } from '../../../src/networks/kit/api.ts'
import {
  type Answer,
  may,
  need,
  reader,
  record,
  string,
  time,
  webAddress,
} from '../../../src/networks/kit/read-json.ts'

/** Paths and parameters: https://postcards.example/docs/api (read 2026-11-23). */
export const call = apiClient({ base: ({ endpoint }) => endpoint('api') })

export const parseMe = reader({ id: need('id', string), name: need('name', string), handle: need('handle', string) })
export const parsePicture = reader({ id: need('picture', string) })

const texts = (value: unknown) =>
  Array.isArray(value) && value.every((each) => typeof each === 'string') ? (value as string[]) : undefined

export const parseCard = reader({
  id: need('id', string),
  link: need('link', webAddress),
  text: may('text', string, ''),
  pictures: may('pictures', texts, []),
  at: may('sent_at', time),
})
export type Card = Answer<typeof parseCard>

/** A page of the cards that an account has sent, newest first. An entry that cannot be read makes the page unreadable. */
export function parseCards(body: unknown): Page<Card> | undefined {
  const page = record(body)
  if (!Array.isArray(page?.cards)) return undefined
  const entries = page.cards.map(parseCard)
  return entries.every((entry) => entry !== undefined) ? { entries, next: string(page.next) ?? null } : undefined
}
