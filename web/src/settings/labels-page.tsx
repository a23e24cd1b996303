import '../design/more-styles.ts'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Group, Menu, Paper, Stack, Text, Title } from '@mantine/core'
import { IconTag } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import type { LabelUsage } from '#contract'
import { useMay } from '../api/session.ts'
import { useConfirmAction } from '../design/confirm.tsx'
import { useDialogState } from '../design/dialog-state.ts'
import { labelColorName } from '../design/label-colors.ts'
import { PageTitle } from '../design/page-title.tsx'
import { EmptyState, ErrorState, LoadingRows } from '../design/states.tsx'
import { showDone } from '../design/toast.tsx'
import { createLabel } from '../planning/labels/create-label.ts'
import classes from '../planning/labels/label-colors.module.css'
import { LabelMark } from '../planning/labels/label-colors.tsx'
import { LabelForm } from '../planning/labels/label-form.tsx'
import { ActionsMenu } from './actions-menu.tsx'
import { MergeDialog } from './labels-merge.tsx'
import { labelUsageQuery, removeLabel, updateLabel } from './labels-requests.ts'

export function Page(): ReactNode {
  const may = useMay('labels:manage')
  const { data, error, isPending, refetch } = useQuery(labelUsageQuery)
  return (
    <Stack gap="lg">
      <PageTitle title={t`Labels`} />
      <Text>
        <Trans>Labels mark posts of all brands, such as those of a campaign.</Trans>
        {!may && ' '}
        {!may && <Trans>Only owners, admins and editors can create and change them.</Trans>}
      </Text>
      {may && <NewLabel />}
      {isPending ? (
        <LoadingRows />
      ) : data ? (
        <Labels labels={data} may={may} />
      ) : (
        <ErrorState title={t`The labels could not be loaded`} error={error} onRetry={() => void refetch()} />
      )}
    </Stack>
  )
}

function NewLabel() {
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="new-label">
      <Stack gap="sm">
        <Title order={2} size="h4" id="new-label">
          <Trans>New label</Trans>
        </Title>
        <LabelForm
          initial={{ name: '', color: null }}
          nameLabel={t`Name`}
          submitLabel={t`Add label`}
          onSubmit={async (fields) => {
            await createLabel(fields)
            showDone(t`Added: ${fields.name}`)
          }}
        />
      </Stack>
    </Paper>
  )
}

function Labels({ labels, may }: { labels: readonly LabelUsage[]; may: boolean }) {
  const merge = useDialogState<LabelUsage>()
  if (labels.length === 0) {
    return (
      <EmptyState icon={<IconTag size={40} stroke={1.5} aria-hidden />}>
        <Trans>There are no labels yet.</Trans>
        {may && ' '}
        {may && <Trans>Add the first one above.</Trans>}
      </EmptyState>
    )
  }
  return (
    <Stack component="section" gap="xs" aria-labelledby="all-labels">
      <Title order={2} size="h4" id="all-labels">
        {plural(labels.length, { one: '# label', other: '# labels' })}
      </Title>
      <Paper withBorder component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
        {labels.map((label) => (
          <LabelRow
            key={label.id}
            label={label}
            may={may}
            {...(labels.length > 1 ? { onMerge: () => merge.open(label) } : {})}
          />
        ))}
      </Paper>
      {merge.asked && (
        <MergeDialog
          label={merge.asked}
          others={labels.filter(({ id }) => id !== merge.asked?.id)}
          onClose={merge.close}
        />
      )}
    </Stack>
  )
}

function LabelRow({ label, may, onMerge }: { label: LabelUsage; may: boolean; onMerge?: () => void }) {
  const [editing, setEditing] = useState(false)
  const menu = useRef<HTMLButtonElement>(null)
  const remove = useRemove()
  const stop = () => {
    setEditing(false)
    // The button is there again with the row.
    window.setTimeout(() => menu.current?.focus())
  }
  if (editing) {
    return (
      <li className={classes.row}>
        <Paper p="md" bg="transparent">
          <LabelForm
            initial={{ name: label.name, color: label.color }}
            nameLabel={t`Name of “${label.name}”`}
            submitLabel={t`Save`}
            onSubmit={async (fields) => {
              await updateLabel(label.id, fields)
              showDone(t`Saved: ${fields.name}`)
              stop()
            }}
            onCancel={stop}
          />
        </Paper>
      </li>
    )
  }
  const color = labelColorName(label.color)
  return (
    <li className={classes.row}>
      <Group wrap="nowrap" justify="space-between" px="md" py="xs">
        <Group gap="sm" wrap="nowrap" miw={0}>
          <LabelMark color={label.color} />
          <div>
            <Text fw={600}>{label.name}</Text>
            <Text size="sm" c="dimmed">
              {plural(label.postSets, {
                0: `${color}, not on any post`,
                one: `${color}, on # post`,
                other: `${color}, on # posts`,
              })}
            </Text>
          </div>
        </Group>
        {may && (
          <ActionsMenu name={label.name} buttonRef={menu}>
            <Menu.Item onClick={() => setEditing(true)}>
              <Trans>Rename or change color</Trans>
            </Menu.Item>
            {onMerge && (
              <Menu.Item onClick={onMerge}>
                <Trans>Merge into another label</Trans>
              </Menu.Item>
            )}
            <Menu.Item color="var(--mantine-color-red-text)" onClick={() => void remove(label)}>
              <Trans>Delete</Trans>
            </Menu.Item>
          </ActionsMenu>
        )}
      </Group>
    </li>
  )
}

/** Removes a label, once the person knows how many post sets it is taken off. */
function useRemove() {
  const confirm = useConfirmAction()
  return async ({ id, name, postSets }: LabelUsage) => {
    const done = await confirm({
      title: t`Delete “${name}”?`,
      children: plural(postSets, {
        0: 'No post has it. This cannot be undone.',
        one: 'It is removed from # post. Nothing else changes. This cannot be undone.',
        other: 'It is removed from # posts. Nothing else changes. This cannot be undone.',
      }),
      confirmLabel: t`Delete the label`,
      danger: true,
      run: () => removeLabel(id),
    })
    if (done) showDone(t`Deleted: ${name}`)
  }
}
