import { t } from '@lingui/core/macro'
import { Table } from '@mantine/core'
import type { Post, PostOptions } from '#contract'
import { words } from '../design/words.ts'
import { optionId, wordsOfCode } from '../language/server-words.ts'
import { fieldName, fieldValue } from '../planning/field-words.ts'

/** What a post has besides text and files: what only its network has. Nothing without any. */
export function PostFields({ post }: { post: Post }) {
  const { id: _, accountType, caption: _text, media: _media, result: __, richCaption: ___, options, ...fields } = post
  const chosen = Object.entries((options ?? {}) as PostOptions).map(([name, value]) => {
    const id = optionId(accountType, name)
    const named = typeof value === 'string' ? wordsOfCode(`${id}:${value}`, shown(value)) : value
    return [wordsOfCode(id, words(name)), named] as const
  })
  const own = Object.entries(fields).map(([name, value]) => [fieldName(name), value] as const)
  const filled = [...own, ...chosen].filter(([, value]) => !isEmpty(value))
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

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
}

function shown(value: unknown): string {
  if (Array.isArray(value)) return value.map(shown).join(', ')
  if (typeof value === 'boolean') return value ? t`Yes` : t`No`
  if (typeof value === 'object' && value !== null && 'name' in value) return String(value.name)
  return typeof value === 'string' && /^[A-Z_]+$/.test(value) ? fieldValue(value) : String(value)
}
