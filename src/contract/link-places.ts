/** Where an address stands in a text: `text.slice(start, end)`. */
interface LinkPlace {
  start: number
  end: number
}

const SCHEME = /https?:\/\//gi
/** Letters of languages that are written without spaces between words, or with words that grow on to others. */
const RUN_ON = '\\p{sc=Han}\\p{sc=Hira}\\p{sc=Kana}\\p{sc=Hang}\\p{sc=Thai}\\p{sc=Laoo}\\p{sc=Khmr}\\p{sc=Mymr}ー・'
/** A label of a host in other letters; in such; and one that begins with an emoji. */
const SPACED = `[[\\p{L}\\p{M}\\p{N}_\\-]--[\\ufe0f\\u20e3\\u3000-\\u303f\\uff00-\\uffef${RUN_ON}]]+(?<![_\\-])`
const LABEL = `(?:${SPACED}|\\p{L}[\\p{L}\\p{M}\\p{N}\\-]*|[\\p{Extended_Pictographic}\\ufe0f]+[\\p{L}\\p{M}\\p{N}\\-]*(?=\\.[\\p{L}\\p{N}]))`
/** Name and password, host and port. `https://example.comです` is a host with words behind it. */
const AUTHORITY = new RegExp(
  `(?:[\\p{L}\\p{M}\\p{N}.~%!$&+=:@_\\-]+@)?(?:\\[[\\da-f:.]+\\]|(?<host>${LABEL}(?:\\.${LABEL})*))(?::\\d+)?`,
  'ivy',
)
/** Never part of an address: spaces, what is invisible, emoji, and marks of East Asia (without U+3005 and others that are letters). */
const STOP =
  /[\s<>"`…•\p{C}\u3000-\u3004\u3006\u3008-\u3020\u302a-\u3037\u303c-\u303f\uff00-\uffef\p{Extended_Pictographic}\p{RI}]|\ufe0f|\u20e3/u
const RUNS_ON = new RegExp(`[${RUN_ON}]`, 'v')
/** Of these, letters of languages that put a space around an address. */
const SPACED_OUT = /[\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}]/u
/** What only the path of an address has behind such letters: `/日本語/ブログ`, `/맛집-추천`. */
const OF_PATH = /[/\-_%]/
/** So far ahead is looked. */
const LOOKED_AT = 200
/** Titles of wikis in these languages mix letters: `/wiki/Tシャツ`. */
const WIKI = /\/\/(?:ja|zh|yue|wuu|ko|th|lo|km|my)(?:\.m)?\.[a-z]{1,20}\.org\/wiki\/$/i
/** Where words of an address begin: `/wiki/パン`, `?q=パン`. */
const SEPARATOR = /[/=_\-#&+%]/
const ANOTHER = /https?:\/\//iy
const DASH = /[\u2012-\u2015\u2e3a\u2e3b]/
/** Titles of wikis have dashes, and spaces as underscores: `Bose–Einstein_condensate`. */
const TITLE = /[\p{L}\p{M}\p{N}'’.]+_/uy
/** Marks that open, each with those that close it. */
const PAIRS: Readonly<Record<string, string>> = {
  '(': ')',
  '[': ']',
  '{': '}',
  '⟨': '⟩',
  '„': '“”',
  '“': '”',
  '‚': '‘’',
  '‘': '’',
  '«': '»',
  '‹': '›',
  '❝': '❞',
  '❛': '❜',
  '”': '”',
  '’': '’',
  '»': '«»',
  '›': '‹›',
  "'": "'",
  '*': '*',
  _: '_',
  '~': '~',
  '|': '|',
}
/** Those of them that more often close, or are part of a word. */
const BOTH = /[”’»›'*_~|]/
/** Marks of words and addresses: they close only where neither goes on. */
const WEAK = /[’'*_~|]/
const GOES_ON = new RegExp(`[[\\p{L}\\p{N}\\/_%=\\&#+\\(\\-]--[${RUN_ON}]]`, 'v')
const MARK = /[()[\]{}⟨⟩„“”‚‘’«»‹›❝❞❛❜'*_~|]/
const MARKS = /[()[\]{}⟨⟩„“”‚‘’«»‹›❝❞❛❜'*_~|]|\n[^\S\n]*\n/g
/** Deeper nesting is none. */
const DEPTH = 16

/**
 * The web addresses in a text, without the surrounding sentence. A punctuation mark ends an address if it closes
 * something that was opened before it (`„…“`, `(…)`, `[a](…)`), or if it is at the end and was not opened within the
 * address. Each character is visited only a few times, however long the text is.
 */
export function linkPlaces(text: string): LinkPlace[] {
  const places: LinkPlace[] = []
  /** What is open in front. */
  const open: string[] = []
  let read = 0
  SCHEME.lastIndex = 0
  for (let found = SCHEME.exec(text); found !== null; found = SCHEME.exec(text)) {
    const start = found.index
    AUTHORITY.lastIndex = SCHEME.lastIndex
    const authority = AUTHORITY.exec(text)
    if (!authority) continue
    const { host = '' } = authority.groups ?? {}
    // Words behind a scheme are none of its host.
    if (/^[^\p{ASCII}]+$/u.test(host)) continue
    noteMarks(text, read, start, open)
    const isLatin = /^\p{ASCII}*$/u.test(host) && !/(?:^|\.)xn--/i.test(host)
    const end = endOf(text, AUTHORITY.lastIndex, isLatin, openAt(text, start, open))
    places.push({ start, end })
    SCHEME.lastIndex = end
    read = end
  }
  return places
}

/** The place of what a mark closes; below 0 for none. */
const closes = (open: readonly string[], mark: string): number =>
  MARK.test(mark) ? open.findLastIndex((each) => PAIRS[each]?.includes(mark)) : -1

/** What an address may close: signs that are part of words as well, such as `_`, only where they stand right in front of it. */
function openAt(text: string, start: number, open: readonly string[]): readonly string[] {
  let from = start
  while (from > 0 && start - from < DEPTH && MARK.test(text.charAt(from - 1))) from--
  const inFront = text.slice(from, start)
  return open.filter((mark) => !/[*_~|]/.test(mark) || inFront.includes(mark))
}

/** Opens and closes what the text between two places does. */
function noteMarks(text: string, start: number, end: number, open: string[]): void {
  const words = text.slice(start, end)
  MARKS.lastIndex = 0
  for (let found = MARKS.exec(words); found !== null; found = MARKS.exec(words)) {
    const [mark] = found
    const at = start + found.index
    const before = text.charAt(at - 1)
    const after = text.charAt(at + mark.length)
    if (mark.startsWith('\n')) open.length = 0
    // Of a row of the same signs, such as ** of Markdown, the first one counts.
    else if (WEAK.test(mark) && before === mark) continue
    else {
      const opened = WEAK.test(mark) && GOES_ON.test(after) ? -1 : closes(open, mark)
      if (opened >= 0) open.length = opened
      else if (open.length < DEPTH && mark in PAIRS && opensThere(mark, before, after)) open.push(mark)
    }
  }
}

const opensThere = (mark: string, before: string, after: string) =>
  !BOTH.test(mark) || (!/[\p{L}\p{N}]/u.test(before) && /\S/.test(after))

/** Where an address ends whose path, if it has one, begins at `start`. `isLatin`: its host is. */
function endOf(text: string, start: number, isLatin: boolean, open: readonly string[]): number {
  /** What the address itself has opened, and the places of what closes it. */
  const inside: string[] = []
  const closing = new Set<number>()
  let end = start
  let before = text.charAt(start - 1)
  for (const sign of /[/?#]/.test(text.charAt(start)) ? signsFrom(text, start) : []) {
    const after = text.charAt(end + sign.length)
    if (/[a-z\d/]/i.test(sign)) {
      before = sign
      end++
      continue
    }
    // Words right behind `https://example.com/` are none of it.
    // Behind a separator they are the address's own, behind other signs, and right behind its host, the sentence's.
    const beginsRun = (isLatin && end === start + 1) || (/\p{ASCII}/u.test(before) && !SEPARATOR.test(before))
    const runsOn = beginsRun && RUNS_ON.test(sign) && !isOfPath(text, start, end, sign)
    if (runsOn && isLatin && end === start + 1) break
    if (isEnd(text, sign, { at: end, before, after, runsOn })) break
    const opened = closes(inside, sign)
    if (opened >= 0) {
      inside.length = opened
      closing.add(end)
    } else if (closes(open, sign) >= 0 && !(WEAK.test(sign) && GOES_ON.test(after))) {
      // Of a row, such as ** of Markdown, all.
      while (WEAK.test(sign) && end > start && text.charAt(end - 1) === sign) end--
      break
    } else if (sign in PAIRS && !BOTH.test(sign) && inside.length < DEPTH) inside.push(sign)
    before = sign
    end += sign.length
  }
  // The digit of a keycap.
  if (/[\ufe0f\u20e3]/.test(text.charAt(end)) && /[\d#*]/.test(before)) end--
  while (end > start && !closing.has(end - 1) && isTrailing(text.charAt(end - 1))) end--
  return end
}

function* signsFrom(text: string, start: number): Generator<string> {
  for (let at = start; at < text.length; ) {
    const sign = String.fromCodePoint(text.codePointAt(at) ?? 0)
    yield sign
    at += sign.length
  }
}

/** Whether letters that words run on with are the address's own for sure. */
function isOfPath(text: string, start: number, at: number, sign: string): boolean {
  if (WIKI.test(text.slice(Math.max(0, start - 48), start + 6))) return true
  if (at === start + 1 && SPACED_OUT.test(sign)) return true
  for (const next of signsFrom(text.slice(at, at + LOOKED_AT), 0)) {
    if (OF_PATH.test(next)) return true
    if (!/[\p{L}\p{M}\p{N}]/u.test(next)) return false
  }
  return false
}

function isEnd(
  text: string,
  sign: string,
  { at, before, after, runsOn }: { at: number; before: string; after: string; runsOn: boolean },
): boolean {
  // Joiners within words, as of Persian.
  if (/[\u200c\u200d]/.test(sign)) return !(/[^\p{ASCII}]/u.test(before) && /\p{L}/u.test(after))
  if (STOP.test(sign)) return true
  if (runsOn) return !(before === '(' && text.charAt(at - 2) === '_')
  if (DASH.test(sign)) {
    TITLE.lastIndex = at + 1
    const isYears = /\d/.test(before) && /\d/.test(after)
    return !isYears && !(/[\p{L}\p{M}\p{N}]/u.test(before) && TITLE.test(text))
  }
  // A tag of forums; another address.
  if (sign === '[') return after === '/'
  ANOTHER.lastIndex = at + 1
  return /[,;|)\]}]/.test(sign) && ANOTHER.test(text)
}

/** Marks at the end of an address that belong to the sentence. */
const isTrailing = (sign: string) => /[.,;:!?()[\]{}*|\\]|[^\P{P}\p{ASCII}]|[^\P{S}\p{ASCII}]/u.test(sign)
