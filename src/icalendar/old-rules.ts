const OLD = /^(?:D|W|M[DP]|Y[MD])\d/
const END = /^\d{8}(?:T\d{6}Z?)?$/
const FIRST = /^(D|W|MD|MP|YM|YD)(\d{1,3})$/
/** A rule of more words is no one's. */
const MAX_WORDS = 400

/** How often each kind of rule repeats, and the part in which its words are, each of that form. */
const KINDS: Readonly<Record<string, { freq: string; part: string; word: RegExp }>> = {
  D: { freq: 'DAILY', part: '', word: /^(?!)/ },
  W: { freq: 'WEEKLY', part: 'BYDAY', word: /^(?:SU|MO|TU|WE|TH|FR|SA)$/ },
  MD: { freq: 'MONTHLY', part: 'BYMONTHDAY', word: /^(?:\d{1,2}[+-]?|LD)$/ },
  MP: { freq: 'MONTHLY', part: 'BYDAY', word: /^(?:[1-5][+-]|SU|MO|TU|WE|TH|FR|SA)$/ },
  YM: { freq: 'YEARLY', part: 'BYMONTH', word: /^\d{1,2}$/ },
  YD: { freq: 'YEARLY', part: 'BYYEARDAY', word: /^\d{1,3}$/ },
}

/**
 * A rule of vCalendar 1.0 (2.1.9: `MP1 1+ MO #3`) as iCalendar has it; other rules as they are. Null: a rule of vCalendar that says more,
 * of which the first time is left.
 */
export function newRule(rule: string): string | null {
  const text = rule.trim().toUpperCase()
  if (!OLD.test(text)) return rule
  const [first = '', ...words] = text.split(/\s+/, MAX_WORDS)
  const [, name = '', interval = ''] = FIRST.exec(first) ?? []
  const kind = KINDS[name]
  if (!kind) return null
  const last = words.at(-1) ?? ''
  const ends = endOf(last)
  const said = ends === null ? words : words.slice(0, -1)
  if (!said.every((word) => kind.word.test(word)) || (name === 'MP' && placesOf(said).length === 0)) return null
  const values = name === 'MP' ? placesOf(said) : said.map((word) => numberOf(word))
  return [
    `FREQ=${kind.freq};INTERVAL=${Number(interval)}`,
    ...(values.length > 0 ? [`${kind.part}=${values.join(',')}`] : []),
    // Without a word of its end a rule has two times.
    ...((ends ?? 'COUNT=2') === '' ? [] : [ends ?? 'COUNT=2']),
  ].join(';')
}

/** Null: the word is not about the end; empty: there is none. */
function endOf(word: string): string | null {
  if (/^#\d{1,5}$/.test(word)) return Number(word.slice(1)) === 0 ? '' : `COUNT=${Number(word.slice(1))}`
  return END.test(word) ? `UNTIL=${word}` : null
}

/** `1-` is the last one, as is `LD`. */
const numberOf = (word: string) =>
  word === 'LD' ? '-1' : word.endsWith('-') ? `-${word.slice(0, -1)}` : word.replace('+', '')

/** Each weekday in the weeks that are named before it: `1+ 3+ MO TU`. */
function placesOf(words: readonly string[]): string[] {
  const places: string[] = []
  let weeks: string[] = []
  let named = false
  for (const word of words) {
    if (/^\d/.test(word)) {
      weeks = named ? [word] : [...weeks, word]
      named = false
    } else {
      places.push(...weeks.map((week) => `${numberOf(week)}${word}`))
      named = true
    }
  }
  return places
}
