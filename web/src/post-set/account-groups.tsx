import { Trans, useLingui } from '@lingui/react/macro'
import { Button, Menu, Text, TextInput } from '@mantine/core'
import { IconCheck, IconChevronDown, IconPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import type { AccountType, Preferences } from '#contract'
import { change } from '../api/change.ts'
import { usePreferences } from '../api/session.ts'
import { Modal } from '../design/dialogs.tsx'
import { Form, FormButtons, filled, useForm } from '../design/form.tsx'
import { networkName } from '../design/network-icon.tsx'
import { showDone, showError, showUndo } from '../design/toast.tsx'
import { listOf } from '../design/words.ts'

type Group = Preferences['accountGroups'][number]

interface AccountGroupsProps {
  socialSetId: string
  /** The account types of the brand. */
  connected: readonly AccountType[]
  chosen: readonly AccountType[]
  onChoose: (types: readonly AccountType[]) => void
}

/** Accounts that the member chooses together, by a name that the member gave them. */
export function AccountGroups({ socialSetId, connected, chosen, onChoose }: AccountGroupsProps) {
  const { t } = useLingui()
  const { accountGroups } = usePreferences()
  const [naming, setNaming] = useState(false)
  const groups = accountGroups.filter((group) => group.socialSetId === socialSetId)
  const isChosen = ({ accountTypes }: Group) =>
    accountTypes.length === chosen.length && accountTypes.every((type) => chosen.includes(type))
  const remove = async (gone: Group) => {
    const { name } = gone
    try {
      await keep(accountGroups.filter((group) => group !== gone))
    } catch (error) {
      return showError(error)
    }
    showUndo({ message: t`Deleted: ${name}`, undo: () => keep(accountGroups) })
  }
  return (
    <>
      <Menu position="bottom-end" width={280}>
        <Menu.Target>
          <Button variant="subtle" size="compact-xs" rightSection={<IconChevronDown size={12} aria-hidden />}>
            <Trans>Groups</Trans>
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {groups.map((group) => (
            <Menu.Item
              key={group.name}
              rightSection={isChosen(group) ? <IconCheck size={14} aria-hidden /> : null}
              onClick={() => onChoose(group.accountTypes.filter((type) => connected.includes(type)))}
            >
              {group.name}
              <Text size="xs" c="dimmed" truncate>
                {listOf(group.accountTypes.map(networkName))}
              </Text>
            </Menu.Item>
          ))}
          {groups.length === 0 && (
            <Menu.Label>
              <Trans>No groups yet. Choose accounts, then save them here.</Trans>
            </Menu.Label>
          )}
          <Menu.Divider />
          <Menu.Item
            leftSection={<IconPlus size={16} aria-hidden />}
            disabled={chosen.length === 0}
            onClick={() => setNaming(true)}
          >
            <Trans>Save these accounts as a group…</Trans>
          </Menu.Item>
          {groups.map((group) => {
            const { name } = group
            return (
              <Menu.Item
                key={name}
                leftSection={<IconTrash size={16} aria-hidden />}
                onClick={() => void remove(group)}
              >
                <Trans>Delete {name}</Trans>
              </Menu.Item>
            )
          })}
        </Menu.Dropdown>
      </Menu>
      {naming && (
        <NewGroup
          group={{ socialSetId, accountTypes: [...chosen] }}
          others={accountGroups}
          onClose={() => setNaming(false)}
        />
      )}
    </>
  )
}

interface NewGroupProps {
  group: Omit<Group, 'name'>
  others: readonly Group[]
  onClose: () => void
}

function NewGroup({ group, others, onClose }: NewGroupProps) {
  const { t } = useLingui()
  const form = useForm({
    initial: { name: '' },
    check: { name: filled(t`Enter a name.`) },
    async send({ name: typed }) {
      const name = typed.trim()
      // One of the same name is replaced.
      const rest = others.filter((other) => other.socialSetId !== group.socialSetId || other.name !== name)
      await keep([...rest, { ...group, name }])
      onClose()
      showDone(t`Saved: ${name}`)
    },
  })
  const networks = listOf(group.accountTypes.map(networkName))
  return (
    <Modal opened onClose={onClose} title={t`New group of accounts`}>
      <Form form={form}>
        <TextInput label={t`Name`} maxLength={40} data-autofocus {...form.text('name')} />
        <Text size="sm" c="dimmed">
          {networks}
        </Text>
        <FormButtons form={form} submit={t`Save`} onCancel={onClose} />
      </Form>
    </Modal>
  )
}

async function keep(accountGroups: readonly Group[]): Promise<void> {
  await change('PATCH /preferences', { body: { accountGroups } })
}
