import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'

const NAMES =
  'Almanac|Instagram|Facebook|Google Business Profile|Google Business|Pinterest|TikTok|YouTube|Threads|Bluesky|LinkedIn|Google|Mastodon'

/** Names and what `Intl` writes: no catalog has them. */
const NOT_WORDS = [
  // Also several of them: "Bluesky, Threads, and Pinterest".
  new RegExp(`(?:${NAMES})(?:,? and (?=${NAMES}))?`, 'g'),
  // A list of what comes from a catalog, which has other letters.
  /(?<=[^\0-\x7f]\S*) and (?=\S*[^\0-\x7f])/g,
  /\b(?:January|February|March|April|May|June|July|August|September|October|November|December)\b/g,
  /\b(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day\b|\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)\b/g,
  /\b(?:Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\b|\bat\b(?= \d)|\bUTC\b/g,
  // Relative times and amounts: "2 minutes ago", "yesterday", "1.5 MB".
  /\b(?:in )?[\d,]+ (?:second|minute|hour|day|week|month|year)s?(?: ago)?\b|\b(?:to|yester)day\b/gi,
  /\b[\d.,]+ (?:bytes?|kB|MB|GB|TB)\b/g,
  // What stands for a picture of a person or an account.
  /^[A-Z]{2}$/g,
  // Zones, addresses of mail and of pages, ids.
  /\b[A-Z]\w+\/[\w/ +-]+|\S+@\S+|https?:\S+|[\da-f]{8}-[\da-f-]{27}/g,
]

/**
 * Elements with text that is no one's language: codes, keys, choices of languages and zones; and what people and networks
 * have written, whose direction its own letters decide.
 */
const NOT_TEXT = 'script, style, noscript, code, pre, kbd, bdi, [dir="auto"], [data-untranslated], option[value*="-"]'

/**
 * Words on the page that are plain Latin letters, each with where it stands: with the language `en-XA` every word of a
 * catalog has other letters. Looks at texts that are seen or read aloud, and at what labels, titles and placeholders say.
 *
 * @param data what members wrote or networks sent: it has no translation
 */
export async function untranslatedWords(page: Page, data: readonly (string | RegExp)[] = []): Promise<string[]> {
  const found = await page.evaluate<{ text: string; where: string }[]>(`(() => {
    const found = []
    const add = (text, element, kind) => {
      if (!/[A-Za-z]{2}/.test(text ?? '')) return
      found.push({ text: text.trim(), where: kind + ' of <' + element.tagName.toLowerCase() + '>' })
    }
    const hidden = (element) => element.closest('[hidden], ${NOT_TEXT}') !== null
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const element = node.parentElement
      if (element && !hidden(element)) add(node.data, element, 'text')
    }
    for (const name of ['aria-label', 'title', 'placeholder', 'alt', 'aria-description', 'aria-roledescription']) {
      for (const element of document.querySelectorAll('[' + name + ']')) {
        // What measures a field is read by no one.
        if (!hidden(element) && !element.closest('[aria-hidden="true"]')) add(element.getAttribute(name), element, name)
      }
    }
    return found
  })()`)
  const known = [
    ...NOT_WORDS,
    ...data.map((each) => (typeof each === 'string' ? new RegExp(RegExp.escape(each), 'g') : each)),
  ]
  return found.flatMap(({ text, where }) => {
    const rest = known.reduce((left, pattern) => left.replace(pattern, ' '), text)
    return /[A-Za-z]{2}/.test(rest) ? [`${where}: ${text}`] : []
  })
}

/** Names of emojis, which Unicode gives. */
export const EMOJI_NAMES = readFileSync(
  join(import.meta.dirname, '../../../web/src/post-set/emoji-words/en.txt'),
  'utf8',
)
  .split('\n')
  .flatMap((line) => line.split('\t')[1] ?? [])
  .map((name) => new RegExp(`^${RegExp.escape(name)}$`, 'g'))
