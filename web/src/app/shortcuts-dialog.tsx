import '../design/more-styles.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Group, Kbd, Table, Text } from '@mantine/core'
import { Modal } from '../design/dialogs.tsx'
import { keyNames } from '../frame/keys.ts'
import { type Shortcut, useRegisteredShortcuts } from '../frame/shortcuts.ts'

/** What works whether or not the shortcuts are on. */
const always = () => [
  {
    keys: 'ArrowDown',
    label: t`Move between days and posts in the calendar, like the other arrow keys`,
  },
  { keys: 'Enter', label: t`Open the focused item` },
  { keys: 'Mod+k', label: t`Go to a brand, a post or a day, or do something` },
  { keys: 'Mod+z', label: t`Undo the last change` },
  { keys: 'Escape', label: t`Close` },
]

/** All keys that do something on this page. */
export function ShortcutsDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const groups = Map.groupBy(useRegisteredShortcuts(), (shortcut) => shortcut.group)
  return (
    <Modal opened={opened} onClose={onClose} title={t`Keyboard shortcuts`} size="lg">
      {[...groups].map(([group, shortcuts]) => (
        <ShortcutTable key={group} group={group} shortcuts={shortcuts} />
      ))}
      <Text size="sm" c="dimmed" mb="md">
        <Trans>You can turn shortcuts off in your profile.</Trans>
      </Text>
      <ShortcutTable group={t`Always`} shortcuts={always()} />
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
          <Table.Th scope="col">
            <Trans>Action</Trans>
          </Table.Th>
          <Table.Th scope="col" w="40%">
            <Trans>Keys</Trans>
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
