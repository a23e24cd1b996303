import { t } from '@lingui/core/macro'
import { Table } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Post, PostOptions, SocialSet } from '#contract'
import { networksQuery } from '../planning/brands/networks-query.ts'
import { fieldInWords, isEmpty, optionInWords } from '../planning/posts/value-words.ts'
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
  const given = Object.entries((options ?? {}) as PostOptions).filter(([, value]) => value !== null && value !== '')
  const isCategory = (name: string) => network?.options.find((each) => each.name === name)?.picker === 'category'
  const lists = useChoices(socialSet, given.some(([name]) => isCategory(name)) ? network : undefined)
  const own = Object.entries({ ...fields, ...(fit === 'REFUSE' ? {} : { fit }) }).filter(([, value]) => !isEmpty(value))
  const filled = [
    ...own.map(([name, value]) => ({ ...fieldInWords(network, name, value), given: value })),
    ...given.map(([name, value]) => ({ ...optionInWords(accountType, network, name, value), given: value })),
  ].filter(({ value }) => value !== '')
  if (filled.length === 0) return null
  return (
    <Table withRowBorders={false} verticalSpacing={2} horizontalSpacing={0}>
      <Table.Tbody>
        {filled.map(({ name, value, given }) => (
          <Table.Tr key={name}>
            <Table.Th scope="row" fw={400} c="dimmed" pe="md" w="40%">
              {name}
            </Table.Th>
            <Table.Td style={{ overflowWrap: 'anywhere' }}>{value ?? categoryIn(lists, given)}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}

/** What only the network has a name for. */
function categoryIn(lists: Choices, value: unknown): string {
  if (lists.isAsked) return t`Loading…`
  return lists.list('category')?.options.find((each) => each.value === value)?.title ?? t`Chosen`
}
