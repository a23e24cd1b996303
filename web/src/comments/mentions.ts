// People in a text: found where they are being written, and where they are named.
import type { CommentPerson } from '#contract'
import { searched } from '../design/searched.ts'

/** A name that is being written: where it begins, with its @, and what follows that. */
export interface Writing {
  from: number
  query: string
}

/** What follows the @ before the caret; null when no name is being written. A mention begins a word. */
export function writingAt(text: string, caret: number): Writing | null {
  const found = /(?:^|[\s([{"'“„])@([^\s@]*(?: [^\s@]*)?)$/u.exec(text.slice(0, caret))
  const query = found?.[1]
  return query === undefined ? null : { from: caret - query.length - 1, query }
}

/** As many as are offered. */
const MOST_OFFERED = 6

/** Those whose name, or a word of it, begins so. */
export function matching(people: readonly CommentPerson[], query: string): CommentPerson[] {
  const wanted = searched(query)
  const fits = ({ name }: CommentPerson) => {
    const known = searched(name)
    return known.startsWith(wanted) || known.split(/\s+/).some((word) => word.startsWith(wanted))
  }
  return people.filter(fits).slice(0, MOST_OFFERED)
}

/** The text with a person in the place of what was being written, and where the caret is then. */
export function withMention(
  text: string,
  caret: number,
  { from }: Writing,
  { name }: CommentPerson,
): { text: string; caret: number } {
  const before = `${text.slice(0, from)}@${name} `
  return { text: before + text.slice(caret).replace(/^ /, ''), caret: before.length }
}

/** Those of the people who are named in a text, by id. */
export function mentionedIn(text: string, people: readonly CommentPerson[]): string[] {
  const named = partsOf(text, people).flatMap(({ person }) => person?.userId ?? [])
  return [...new Set(named)]
}

interface TextPart {
  text: string
  /** Who is named by it. */
  person: CommentPerson | null
}

/** A text cut at the people that it names. Of names that begin alike the longest one counts. */
export function partsOf(text: string, people: readonly CommentPerson[]): TextPart[] {
  const byLength = people.toSorted((one, other) => other.name.length - one.name.length)
  const parts: TextPart[] = []
  let plain = ''
  for (let place = 0; place < text.length; ) {
    const person = text[place] === '@' ? byLength.find(({ name }) => isNamedAt(text, place + 1, name)) : undefined
    if (!person) {
      plain += text[place]
      place += 1
      continue
    }
    if (plain !== '') parts.push({ text: plain, person: null })
    plain = ''
    parts.push({ text: `@${person.name}`, person })
    place += 1 + person.name.length
  }
  if (plain !== '') parts.push({ text: plain, person: null })
  return parts
}

/** A name ends where no letter follows. */
function isNamedAt(text: string, place: number, name: string): boolean {
  return name !== '' && text.startsWith(name, place) && !/^[\p{L}\p{N}]/u.test(text.slice(place + name.length))
}
