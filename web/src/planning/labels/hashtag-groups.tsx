import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { ActionIcon, Button, Group, Stack, Text, Textarea, TextInput, Title } from '@mantine/core'
import { IconPencil, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { HashtagGroup, SocialSet } from '#contract'
import * as LIMITS from '#contract/limits'
import { hasCode } from '../../api/api-error.ts'
import { useMay } from '../../api/session.ts'
import { announce } from '../../design/announce.tsx'
import { Failure } from '../../design/confirm-action.tsx'
import { messageOf } from '../../design/error-text.ts'
import { Form, filled, useForm } from '../../design/form.tsx'
import { ErrorState, LoadingRows } from '../../design/states.tsx'
import { showDone, showError, showUndo } from '../../design/toast.tsx'
import { hashtagGroupsQuery } from '../brands/brand-queries.ts'
import classes from './hashtag-groups.module.css'
import { createHashtagGroup, type HashtagFields, removeHashtagGroup, updateHashtagGroup } from './hashtag-requests.ts'

const EXAMPLE = '#bakery #sourdough'

/** Hashtags that are put into captions together. */
export function HashtagGroups({ socialSet }: { socialSet: SocialSet }) {
  const may = useMay('post-sets:write')
  const { data: groups, error, refetch } = useQuery(hashtagGroupsQuery(socialSet.id))
  const heading = useRef<HTMLHeadingElement>(null)
  const remove = async (group: HashtagGroup) => {
    const { name, tags } = group
    try {
      await removeHashtagGroup(group)
    } catch (error) {
      return showError(error)
    }
    // The button went with the group.
    heading.current?.focus()
    const message = t`Deleted: ${name}`
    announce(message)
    showUndo({ message, undo: () => createHashtagGroup(socialSet.id, { name, tags }) })
  }
  return (
    <Stack component="section" gap="sm" maw={640} aria-labelledby="hashtag-groups">
      <Title order={2} size="h4" id="hashtag-groups" ref={heading} tabIndex={-1}>
        <Trans>Hashtag groups</Trans>
      </Title>
      {!may && (
        <Text size="sm" c="dimmed">
          <Trans>Your role can read them. An author or editor can change them.</Trans>
        </Text>
      )}
      {error && !groups ? (
        <ErrorState title={t`The hashtag groups could not be loaded`} error={error} onRetry={() => void refetch()} />
      ) : !groups ? (
        <LoadingRows rows={3} />
      ) : groups.length === 0 ? (
        <Text size="sm" c="dimmed">
          <Trans>
            No groups yet. Save hashtags that belong together: the composer writes all of them with one click.
          </Trans>
        </Text>
      ) : (
        <ul className={classes.groups} aria-label={t`Hashtag groups`}>
          {groups.map((group) => (
            <GroupRow key={group.id} group={group} may={may} onRemove={() => void remove(group)} />
          ))}
        </ul>
      )}
      {may && (
        <GroupForm
          initial={{ name: '', tags: [] }}
          submit={t`Add group`}
          save={async (fields) => {
            await createHashtagGroup(socialSet.id, fields)
            showDone(t`Added: ${fields.name}`)
          }}
        />
      )}
    </Stack>
  )
}

function GroupRow({ group, may, onRemove }: { group: HashtagGroup; may: boolean; onRemove: () => void }) {
  const [editing, setEditing] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const { name, tags } = group
  const stop = () => {
    setEditing(false)
    // The button is there again with the row.
    window.setTimeout(() => button.current?.focus())
  }
  if (editing) {
    return (
      <li className={classes.group}>
        <GroupForm
          initial={{ name, tags }}
          submit={t`Save`}
          save={async (fields) => {
            await updateHashtagGroup(group, fields)
            showDone(t`Saved: ${fields.name}`)
            stop()
          }}
          onCancel={stop}
        />
      </li>
    )
  }
  return (
    <li className={classes.group}>
      <Group wrap="nowrap" justify="space-between" align="flex-start">
        <div style={{ minWidth: 0 }}>
          <Text fw={600} dir="auto">
            {name}
          </Text>
          <Text size="sm" c="dimmed" dir="auto" style={{ overflowWrap: 'anywhere' }}>
            {tags.join(' ')}
          </Text>
        </div>
        {may && (
          <Group gap={4} wrap="nowrap">
            <ActionIcon
              ref={button}
              variant="subtle"
              color="gray"
              aria-label={t`Change ${name}`}
              onClick={() => setEditing(true)}
            >
              <IconPencil size={18} aria-hidden />
            </ActionIcon>
            <ActionIcon variant="subtle" color="gray" aria-label={t`Delete ${name}`} onClick={onRemove}>
              <IconTrash size={18} aria-hidden />
            </ActionIcon>
          </Group>
        )}
      </Group>
    </li>
  )
}

interface GroupFormProps {
  initial: HashtagFields
  submit: string
  /** What it throws is shown in the form. */
  save: (fields: HashtagFields) => Promise<void>
  /** Absent: the form stays, and is empty again after each group. */
  onCancel?: () => void
}

function GroupForm({ initial, submit, save, onCancel }: GroupFormProps) {
  const form = useForm({
    initial: { name: initial.name, tags: initial.tags.join(' ') },
    check: { name: filled(t`Enter a name.`), tags: filled(t`Enter the hashtags.`) },
    async send({ name, tags }) {
      await save({ name: name.trim(), tags: tags.split(/[\s,]+/).filter((tag) => tag !== '') })
      if (!onCancel) form.reset()
    },
    // The server's word is about one of the hashtags, which the field does not have one by one.
    explain: (error) =>
      hasCode(error, 'hashtag-group:name_taken')
        ? { name: messageOf(error) }
        : hasCode(error, 'request:invalid_body')
          ? { tags: messageOf(error) }
          : {},
  })
  return (
    <Form form={form} gap="sm">
      <TextInput
        label={onCancel ? t`Name of “${initial.name}”` : t`Name of the group`}
        autoComplete="off"
        dir="auto"
        maw={420}
        maxLength={LIMITS.hashtagGroups.nameCodePoints}
        autoFocus={onCancel !== undefined}
        {...form.text('name')}
      />
      <Textarea
        label={t`Hashtags`}
        description={t`Separated by spaces, with or without #.`}
        placeholder={EXAMPLE}
        dir="auto"
        autosize
        minRows={1}
        maxRows={6}
        {...form.text('tags')}
      />
      <Failure error={form.rest} />
      <Group gap="sm">
        <Button type="submit" loading={form.busy} variant={onCancel ? 'filled' : 'default'}>
          {submit}
        </Button>
        {onCancel && (
          <Button variant="default" disabled={form.busy} onClick={onCancel}>
            <Trans>Cancel</Trans>
          </Button>
        )}
      </Group>
    </Form>
  )
}
