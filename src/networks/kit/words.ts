import { createHash } from 'node:crypto'
import type { Attempt, Connector, Handles, PostToCheck, Words } from '../network.ts'
import { plainPost } from './plain-post.ts'
import { record, string } from './read-json.ts'

/** The words that were noted down with a delivery; null for none. */
function notedWords({ words }: Handles): Words | null {
  const noted = record(words)
  if (!noted) return null
  return Object.fromEntries(Object.entries(noted).flatMap(([name, text]) => [[name, string(text) ?? '']]))
}

/** The words of a delivery: those that go out, and those that may have gone out.
 *
 * @param post as it is stored
 */
export function wordsOfDelivery(
  { wordsOf, formerWordsOf }: Pick<Connector, 'wordsOf' | 'formerWordsOf'>,
  post: PostToCheck,
  handles: Handles,
  setting: Attempt['setting'],
): Pick<Attempt, 'words' | 'sentWords'> {
  const noted = notedWords(handles)
  if (noted) return { words: noted, sentWords: [noted] }
  const plain = plainPost(post)
  const words = wordsOf(plain, setting)
  // Versions before sent texts as they came.
  const isChanged = formerWordsOf !== undefined || plain !== post
  return {
    words,
    sentWords: isChanged ? [words, formerWordsOf ? formerWordsOf(post) : wordsOf(post, setting)] : [words],
  }
}

/**
 * For networks that get the words in `prepare`: notes down those that a version before has sent there. Called where something is
 * that holds words.
 */
export async function noteFormerWords(attempt: Attempt): Promise<void> {
  const former = attempt.sentWords.at(-1)
  if (notedWords(attempt.handles) === null && former) await attempt.store({ words: former })
}

/** Says that words may be taken for each other: the same for what differs in signs, spaces, case and the way of writing links alone. */
export function wordsKeyOf(words: Words): string {
  const texts = Object.entries(words).sort(([one], [other]) => (one < other ? -1 : 1))
  const told = texts.map(([, text]) => lettersOf(text))
  return createHash('sha256').update(told.join('\0')).digest('base64url').slice(0, 22)
}

/** Letters and digits alone, without those of mentions by a number, which are shown as names; of a text that has none, all of it. */
function lettersOf(text: string): string {
  const letters = text
    .split(/@\[\d{1,30}\]/)
    .join('')
    .replace(/https?:\/\//gi, '')
    .normalize('NFKD')
    .toUpperCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
  // Stored with deliveries: it does not follow how lookups compare texts.
  return letters === '' ? text.normalize('NFC').replace(/\s+/g, ' ').trim() : letters
}
