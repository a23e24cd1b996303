import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import type { AccountType, Why } from '#contract'
import { loadLaterWords } from './language.ts'

/** Words of codes come behind those of the first screen: what is shown without them is drawn again when they are there. */
function hasWords(code: string): boolean {
  if (code in i18n.messages) return true
  void loadLaterWords()
  return false
}

/** The words that the catalog has for a code of the server; the server's own English where it has none. */
export function wordsOfCode(code: string, english: string): string {
  return hasWords(code) ? i18n._(code) : english
}

/** Why something is not done, with the values of the sentence: of a refusal by its code. */
export function wordsOfWhy({ code, message, values }: Why): string {
  if (!hasWords(code)) return message
  const { code: refusal, reason = '' } = values
  return i18n._(code, refusal === undefined ? values : { ...values, reason: wordsOfCode(refusal, reason) })
}

/** A reason that may be in the words of a network alone. */
export function wordsOfReason({ message, why }: { message: string | null; why: Why | null }): string | null {
  return why ? wordsOfWhy(why) : message
}

/** What is wrong, by the code of a problem or of an entry of one, with the numbers at stake where there are any. */
export function wordsOfProblem({ code, message, limit, actual, why }: ProblemWords): string {
  if (why) return wordsOfWhy(why)
  const words = wordsOfCode(code, message)
  if (words === message) return message
  // These say that something is wrong, and only the sentence of the server says what.
  if (code.startsWith('request:')) return t`${words} (${message})`
  // What is measured of a file is bytes, seconds or pixels, and the number alone does not say which.
  if (code.startsWith('post:media_') && code !== 'post:media_count') return words
  return limit === undefined || actual === undefined ? words : t`${words} (${actual}, limit ${limit})`
}

/**
 * A publishing default, or the option of a post that it is, in words: of itself and of the values that have names. What the
 * network itself names, such as boards, stays as it is.
 */
export function wordsOfOption<O extends OptionWords>(accountType: AccountType, option: O): O {
  const id = optionId(accountType, option.name)
  const { titles, options } = option
  return {
    ...option,
    title: wordsOfCode(id, option.title),
    description: wordsOfCode(`${id}:description`, option.description),
    ...(titles ? { titles: namedValues(titles, id) } : {}),
    ...(options
      ? { options: options.map(({ value, title }) => ({ value, title: wordsOfCode(`${id}:${value}`, title) })) }
      : {}),
  }
}

/** The values of an option that is a list, by their names; of an empty one what that means. */
export const wordsOfList = (
  values: readonly unknown[],
  titles: Readonly<Record<string, string>> | null = null,
): string =>
  values.length === 0 ? (titles?.NONE ?? '') : values.map((each) => titles?.[String(each)] ?? String(each)).join(', ')

/** The id in the catalogs: `option:TIKTOK:privacy`, with `:description` and `:SELF_ONLY` behind it. */
const optionId = (accountType: AccountType, name: string) => `option:${accountType}:${name}`

/** A way to sign in, in words. */
export function wordsOfSignIn<W extends { name: string; title: string; description: string }>(
  accountType: AccountType,
  way: W,
): W {
  const id = `sign-in:${accountType}:${way.name}`
  return {
    ...way,
    title: wordsOfCode(id, way.title),
    description: wordsOfCode(`${id}:description`, way.description),
  }
}

const namedValues = (titles: Readonly<Record<string, string>>, id: string) =>
  Object.fromEntries(Object.entries(titles).map(([value, title]) => [value, wordsOfCode(`${id}:${value}`, title)]))

interface OptionWords {
  name: string
  title: string
  description: string
  /** Of the values of its schema. */
  titles?: Readonly<Record<string, string>> | null
  /** What the network offers. */
  options?: readonly { value: string; title: string }[] | null
}

interface ProblemWords {
  code: string
  message: string
  limit?: number
  actual?: number
  /** The sentence of a refusal, by an id of its own. */
  why?: Why
}
