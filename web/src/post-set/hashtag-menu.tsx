import { Trans, useLingui } from '@lingui/react/macro'
import { Group, Menu, Text, TextInput } from '@mantine/core'
import { IconHash, IconPlus, IconSettings } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactElement, useState } from 'react'
import type { SocialSet } from '#contract'
import * as LIMITS from '#contract/limits'
import { change } from '../api/change.ts'
import { lazyWithWords } from '../api/code.ts'
import { useMay } from '../api/session.ts'
import { Modal } from '../design/dialogs.tsx'
import { Form, FormButtons, filled, useForm } from '../design/form.tsx'
import { Part } from '../design/part.tsx'
import { showDone } from '../design/toast.tsx'
import { hashtagGroupsQuery } from '../planning/brands/brand-queries.ts'
import classes from './composer.module.css'

const HashtagGroups = lazyWithWords(() =>
  import('../planning/labels/hashtag-groups.tsx').then(({ HashtagGroups }) => ({ default: HashtagGroups })),
)

interface HashtagMenuProps {
  socialSet: SocialSet
  /** Its hashtags can be saved as a group. */
  caption: string
  onInsert: (tags: string) => void
  children: ReactElement
}

/** The groups of hashtags of the brand: one click writes them all. */
export function HashtagMenu({ socialSet, caption, onInsert, children }: HashtagMenuProps) {
  const { t } = useLingui()
  const [opened, setOpened] = useState(false)
  const [naming, setNaming] = useState(false)
  const [changing, setChanging] = useState(false)
  const mayWrite = useMay('post-sets:write')
  const { data: groups = [], isPending } = useQuery({ ...hashtagGroupsQuery(socialSet.id), enabled: opened })
  const tags = hashtagsIn(caption)
  return (
    <>
      <Menu opened={opened} onChange={setOpened} position="bottom-start" width={280} returnFocus={false}>
        <Menu.Target>{children}</Menu.Target>
        <Menu.Dropdown>
          {groups.map(({ id, name, tags }) => (
            <Menu.Item
              key={id}
              leftSection={<IconHash size={16} aria-hidden />}
              onClick={() => onInsert(tags.join(' '))}
            >
              {name}
              <Text size="xs" c="dimmed" truncate>
                {tags.join(' ')}
              </Text>
            </Menu.Item>
          ))}
          {!isPending && groups.length === 0 && (
            <Menu.Label className={classes.hint}>
              <Trans>No groups yet. Groups write several hashtags at once.</Trans>
            </Menu.Label>
          )}
          {mayWrite && !isPending && <Menu.Divider />}
          {mayWrite && tags.length > 0 && (
            <Menu.Item leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setNaming(true)}>
              <Trans>Save the hashtags of this text…</Trans>
            </Menu.Item>
          )}
          {mayWrite && !isPending && (
            <Menu.Item
              leftSection={
                groups.length > 0 ? <IconSettings size={16} aria-hidden /> : <IconPlus size={16} aria-hidden />
              }
              onClick={() => setChanging(true)}
            >
              {groups.length > 0 ? t`Edit the groups…` : t`New group…`}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      <Modal opened={changing} onClose={() => setChanging(false)} title={t`Groups of hashtags`} size="lg">
        <Part>{changing && <HashtagGroups socialSet={socialSet} />}</Part>
      </Modal>
      {naming && <NewGroup socialSetId={socialSet.id} tags={tags} onClose={() => setNaming(false)} />}
    </>
  )
}

interface NewGroupProps {
  socialSetId: string
  tags: readonly string[]
  onClose: () => void
}

function NewGroup({ socialSetId, tags, onClose }: NewGroupProps) {
  const { t } = useLingui()
  const form = useForm({
    initial: { name: '' },
    check: { name: filled(t`Enter a name.`) },
    async send({ name }) {
      await change('POST /hashtag-groups', { body: { socialSetId, name: name.trim(), tags } })
      onClose()
      showDone(t`Saved. The group is in the menu of hashtags.`)
    },
  })
  return (
    <Modal opened onClose={onClose} title={t`New group of hashtags`}>
      <Form form={form}>
        <TextInput label={t`Name`} data-autofocus {...form.text('name')} />
        <Group gap={4}>
          <Text size="sm" c="dimmed">
            {tags.join(' ')}
          </Text>
        </Group>
        <FormButtons form={form} submit={t`Save`} onCancel={onClose} />
      </Form>
    </Modal>
  )
}

/** `#hashtags` of a text, each once. */
function hashtagsIn(text: string): string[] {
  return [...new Set([...text.matchAll(/#[\p{L}\p{N}_]+/gu)].map(([tag]) => tag))].slice(0, LIMITS.hashtagGroups.tags)
}
