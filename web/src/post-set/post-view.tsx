import { Group, Paper, SimpleGrid, Stack, Table, Text } from '@mantine/core'
import type { Post } from '#contract'
import { NetworkIcon, networkName } from '../design/network-icon.tsx'
import { words } from '../design/words.ts'
import { Thumbnail } from './media-fields.tsx'

/** A post as it is written: text, files, and what only its network has. */
export function PostView({ post }: { post: Post }) {
  const { id: _, accountType, caption, media, result: __, richCaption: ___, ...fields } = post
  const filled = Object.entries(fields).filter(([, value]) => !isEmpty(value))
  return (
    <Paper withBorder p="sm" component="section" aria-label={networkName(accountType)}>
      <Stack gap="xs">
        <Group gap="xs">
          <NetworkIcon accountType={accountType} decorative />
          <Text fw={600}>{networkName(accountType)}</Text>
        </Group>
        {caption === '' ? (
          <Text size="sm" c="dimmed">
            No caption.
          </Text>
        ) : (
          <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
            {caption}
          </Text>
        )}
        {media.length > 0 && (
          <SimpleGrid cols={{ base: 3, sm: 5 }} spacing="xs">
            {media.map((item) => (
              <Thumbnail key={item.id} item={{ ...item, altText: item.altText ?? words(item.type) }} size={84} />
            ))}
          </SimpleGrid>
        )}
        {filled.length > 0 && (
          <Table withRowBorders={false} verticalSpacing={2} horizontalSpacing={0}>
            <Table.Tbody>
              {filled.map(([name, value]) => (
                <Table.Tr key={name}>
                  <Table.Th scope="row" fw={400} c="dimmed" pr="md" w="40%">
                    {words(name)}
                  </Table.Th>
                  <Table.Td style={{ overflowWrap: 'anywhere' }}>{shown(value)}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        )}
      </Stack>
    </Paper>
  )
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
}

function shown(value: unknown): string {
  if (Array.isArray(value)) return value.map(shown).join(', ')
  if (typeof value === 'object' && value !== null && 'name' in value) return String(value.name)
  return typeof value === 'string' && /^[A-Z_]+$/.test(value) ? words(value) : String(value)
}
