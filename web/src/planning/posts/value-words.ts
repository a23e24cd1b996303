// What was chosen for a post on its network, in words.
import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import type { AccountType, NetworkDescription, Picker } from '#contract'
import { words } from '../../design/words.ts'
import { wordsOfList, wordsOfOption } from '../../language/server-words.ts'
import { fieldName, fieldValue } from './field-words.ts'
import { languageChoices } from './languages.ts'

interface Named {
  name: string
  /** Empty: nothing was chosen. Null: only the network has a name for it. */
  value: string | null
}

/** The network as `GET /v1/networks` has it; undefined while that is not known. */
type Known = NetworkDescription | undefined

/** A field of a post. */
export function fieldInWords(network: Known, name: string, value: unknown): Named {
  const field = network?.fields.find((each) => each.name === name)
  // What every post has is described by no network.
  const isListed = name === 'fit' || Array.isArray(field?.schema.enum)
  return { name: fieldName(name), value: inWords(field?.picker ?? null, value, isListed) }
}

/** An option of a post. */
export function optionInWords(accountType: AccountType, network: Known, name: string, value: unknown): Named {
  const option = network?.options.find((each) => each.name === name)
  if (!option) return { name: words(name), value: inWords(null, value, true) }
  const { title, titles } = wordsOfOption(accountType, option)
  if (Array.isArray(value)) return { name: title, value: wordsOfList(value, titles) }
  const named = isEmpty(value) ? undefined : titles?.[String(value)]
  return { name: title, value: named ?? inWords(option.picker, value, Array.isArray(option.schema.enum)) }
}

export const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)

/** `isListed`: one of the values that the API lists, and no text of a person. */
function inWords(picker: Picker | null, value: unknown, isListed: boolean): string | null {
  if (isEmpty(value)) return ''
  switch (picker) {
    case 'track':
      return t`A track of the network`
    case 'language':
      return languageChoices(String(value)).find((each) => each.value === value)?.title ?? null
    case 'category':
      return null
    case 'moment':
      return secondsIn(Number(value))
    case 'millisecond':
      return secondsIn(Number(value) / 1_000)
    case 'photo':
      // The API counts from 0.
      return String(Number(value) + 1)
    default:
      return plain(value, isListed)
  }
}

const secondsIn = (value: number) =>
  new Intl.NumberFormat(i18n.locale === 'pseudo' ? 'en' : i18n.locale, {
    ...{ style: 'unit', unit: 'second', unitDisplay: 'long', maximumFractionDigits: 1 },
  }).format(value)

function plain(value: unknown, isListed: boolean): string {
  if (Array.isArray(value))
    return value
      .map((each) => plain(each, isListed))
      .filter(Boolean)
      .join(', ')
  if (typeof value === 'boolean') return value ? t`Yes` : t`No`
  if (typeof value === 'object' && value !== null) return 'name' in value ? String(value.name) : ''
  return isListed && typeof value === 'string' ? fieldValue(value) : String(value)
}
