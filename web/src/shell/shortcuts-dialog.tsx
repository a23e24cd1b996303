import '../design/more-styles.ts'
import { Group, Kbd, Table, Text } from '@mantine/core'
import { Modal } from '../design/dialogs.tsx'
import { keyNames } from './keys.ts'
import { type Shortcut, useRegisteredShortcuts } from './shortcuts.ts'

/** What works whether or not the shortcuts are on. */
const ALWAYS = [
  {
    keys: 'ArrowDown',
    label: 'Go from day to day and from post set to post set in the calendar, like the other arrows',
  },
  { keys: 'Enter', label: 'Open what has the focus' },
  { keys: 'Mod+z', label: 'Take the last change back' },
  { keys: 'Escape', label: 'Close what is open' },
]

/** All keys that do something on this page. */
export function ShortcutsDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const groups = Map.groupBy(useRegisteredShortcuts(), (shortcut) => shortcut.group)
  return (
    <Modal opened={opened} onClose={onClose} title="Keyboard shortcuts" size="lg">
      {[...groups].map(([group, shortcuts]) => (
        <ShortcutTable key={group} group={group} shortcuts={shortcuts} />
      ))}
      <Text size="sm" c="dimmed" mb="md">
        They can be turned off in your profile.
      </Text>
      <ShortcutTable group="Always" shortcuts={ALWAYS} />
    </Modal>
  )
}

function ShortcutTable({
  group,
  shortcuts,
}: {
  group: string
  shortcuts: readonly Pick<Shortcut, 'keys' | 'label'>[]
}) {
  return (
    <Table captionSide="top" mb="md">
      <Table.Caption ta="left" fw={600}>
        {group}
      </Table.Caption>
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col">Does</Table.Th>
          <Table.Th scope="col" w="40%">
            Keys
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {shortcuts.map(({ keys, label }) => (
          <Table.Tr key={keys}>
            <Table.Td>{label}</Table.Td>
            <Table.Td>
              <Group gap={4}>
                {keyNames(keys).map((name) => (
                  <Kbd key={name}>{name}</Kbd>
                ))}
              </Group>
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}
