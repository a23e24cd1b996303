import { type I18n, type Messages, setupI18n } from '@lingui/core'
import { messages as de } from './locales/de.ts'
import { messages as formal } from './locales/de-formal.ts'
import { messages as en } from './locales/en.ts'
import { messages as pseudo } from './locales/pseudo.ts'
import type { MailWord } from './words.ts'

/** By the language of a BCP 47 tag; `pseudo` for `en-XA`, which shows what comes from no catalog. */
const CATALOGS: Readonly<Record<string, Messages>> = { de, en, pseudo }
/** What is said otherwise where a reader is addressed formally. */
const FORMAL: Readonly<Record<string, Messages>> = { de: formal }

/** The words and dates of one reader. */
export interface Language {
  /** BCP 47, of the words. */
  tag: string
  say(id: MailWord, values?: Readonly<Record<string, string | number>>): string
  /** `1 Jun 2030, 09:00 (Europe/Berlin)` */
  time(at: Date, timezone: string): string
}

const catalogs = new Map<string, I18n>()

/** The catalog for a BCP 47 tag; null: there is none. */
function catalogOf(locale: string): string | null {
  const asked = locale.toLowerCase()
  const [language = ''] = asked.split('-')
  if (asked === 'en-xa') return 'pseudo'
  return language !== 'pseudo' && Object.hasOwn(CATALOGS, language) ? language : null
}

/** Browsers name a handful. */
const LONGEST_HEADER = 1_000
const TAG = /^[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8}){0,3}$/

/**
 * Of the languages that a browser asks for, the first one that there are words in, else the first; null where it names none.
 *
 * @param header `Accept-Language` (RFC 9110, 12.5.4)
 */
export function acceptedLocale(header: string | null | undefined): string | null {
  const asked = (header ?? '')
    .slice(0, LONGEST_HEADER)
    .split(',')
    .map((range) => {
      const [tag = '', weight = ''] = range.split(';').map((part) => part.trim())
      const quality = /^q=([01](?:\.\d{0,3})?)$/i.exec(weight)?.[1] ?? '1'
      return { tag, quality: Number(quality) }
    })
    .filter(({ tag, quality }) => TAG.test(tag) && quality > 0)
    .toSorted((a, b) => b.quality - a.quality)
  return (asked.find(({ tag }) => catalogOf(tag) !== null) ?? asked[0])?.tag ?? null
}

/**
 * The language of a reader: of the words when there is a catalog, else English; of dates all of the locale (BCP 47).
 *
 * @param manner.formal the reader is addressed formally, in languages that know the difference
 */
export function languageOf(
  locale: string | null,
  {
    hourCycle = 'auto',
    formal: isFormal = false,
  }: { hourCycle?: 'auto' | 'h12' | 'h23' | undefined; formal?: boolean } = {},
): Language {
  const [language = ''] = (locale ?? 'en-GB').toLowerCase().split('-')
  const name = catalogOf(locale ?? 'en-GB') ?? 'en'
  const tag = name === 'pseudo' ? 'en' : name
  const manner = isFormal ? FORMAL[name] : undefined
  const key = manner ? `${name}, formal` : name
  const words = { ...(CATALOGS[name] ?? en), ...manner }
  const found = catalogs.get(key) ?? setupI18n({ locale: tag, messages: { [tag]: words } })
  catalogs.set(key, found)
  // Dates of a language without a catalog stand between English words.
  const dates = tag === language ? (locale ?? 'en-GB') : 'en-GB'
  return {
    tag,
    say: (id, values = {}) => found._(id, values),
    time(at, timeZone) {
      const options = { dateStyle: 'medium', timeStyle: 'short', timeZone } as const
      const cycle = hourCycle === 'auto' ? {} : { hourCycle }
      return `${new Intl.DateTimeFormat(dates, { ...options, ...cycle }).format(at)} (${timeZone})`
    },
  }
}
