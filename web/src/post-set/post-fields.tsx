import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import { Table } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Picker, Post, PostOptions, SocialSet } from '#contract'
import { words } from '../design/words.ts'
import { wordsOfList, wordsOfOption } from '../language/server-words.ts'
import { fieldName, fieldValue } from '../planning/field-words.ts'
import { languageChoices } from '../planning/languages.ts'
import { networksQuery } from '../planning/networks-query.ts'
import { type Choices, useChoices } from './use-choices.ts'

/** What a post has besides text and files: what only its network has. Nothing without any. */
export function PostFields({ socialSet, post }: { socialSet: SocialSet; post: Post }) {
  const {
    id: _,
    accountType,
    caption: _text,
    media: _media,
    result: __,
    richCaption: ___,
    options,
    fit,
    ...fields
  } = post
  const network = useQuery(networksQuery).data?.find((each) => each.accountType === accountType)
  const pickerOf = (name: string) =>
    [...(network?.fields ?? []), ...(network?.options ?? [])].find((each) => each.name === name)?.picker ?? null
  const given = Object.entries((options ?? {}) as PostOptions).filter(([, value]) => value !== null && value !== '')
  const lists = useChoices(socialSet, given.some(([name]) => pickerOf(name) === 'category') ? network : undefined)
  const chosen = given.map(([name, value]) => {
    const known = network?.options.find((each) => each.name === name)
    const { title, titles } = known ? wordsOfOption(accountType, known) : { title: words(name), titles: null }
    const listed = Array.isArray(value) ? wordsOfList(value, titles) : null
    return [title, listed ?? picked(pickerOf(name), value, lists) ?? titles?.[String(value)] ?? value] as const
  })
  const own = Object.entries(fields).map(
    ([name, value]) => [fieldName(name), picked(pickerOf(name), value, lists) ?? value] as const,
  )
  const fits = fit === 'REFUSE' ? [] : [[fieldName('fit'), fit] as const]
  const filled = [...own, ...fits, ...chosen].filter(([, value]) => !isEmpty(value))
  if (filled.length === 0) return null
  return (
    <Table withRowBorders={false} verticalSpacing={2} horizontalSpacing={0}>
      <Table.Tbody>
        {filled.map(([name, value]) => (
          <Table.Tr key={name}>
            <Table.Th scope="row" fw={400} c="dimmed" pe="md" w="40%">
              {name}
            </Table.Th>
            <Table.Td style={{ overflowWrap: 'anywhere' }}>{shown(value)}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}

/** What a value is called that means nothing to a person; null of others. */
function picked(picker: Picker | null, value: unknown, lists: Choices): string | null {
  if (isEmpty(value)) return null
  switch (picker) {
    case 'track':
      return t`A track of the network`
    case 'language':
      return languageChoices(String(value)).find((each) => each.value === value)?.title ?? null
    case 'category':
      return lists.isAsked
        ? t`Loading…`
        : (lists.list(picker)?.options.find((each) => each.value === value)?.title ?? t`Chosen`)
    case 'moment':
      return secondsIn(Number(value))
    case 'millisecond':
      return secondsIn(Number(value) / 1_000)
    default:
      return null
  }
}

const secondsIn = (value: number) =>
  new Intl.NumberFormat(i18n.locale === 'pseudo' ? 'en' : i18n.locale, {
    ...{ style: 'unit', unit: 'second', unitDisplay: 'long', maximumFractionDigits: 1 },
  }).format(value)

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
}

function shown(value: unknown): string {
  if (Array.isArray(value)) return value.map(shown).join(', ')
  if (typeof value === 'boolean') return value ? t`Yes` : t`No`
  if (typeof value === 'object' && value !== null && 'name' in value) return String(value.name)
  return typeof value === 'string' && /^[A-Z_]+$/.test(value) ? fieldValue(value) : String(value)
}
