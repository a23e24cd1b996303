import '../design/more-styles.ts'
import { ActionIcon, Group, Menu, Paper, Stack, Text, Title } from '@mantine/core'
import { IconDots, IconTag } from '@tabler/icons-react'
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
import { count } from '../design/words.ts'
import classes from './labels-colors.module.css'
import { LabelMark } from './labels-colors.tsx'
import { LabelForm } from './labels-form.tsx'
import { MergeDialog } from './labels-merge.tsx'
import { createLabel, labelUsageQuery, removeLabel, updateLabel } from './labels-requests.ts'

export function Page(): ReactNode {
  const may = useMay('labels:manage')
  const { data, error, isPending, refetch } = useQuery(labelUsageQuery)
  return (
    <Stack gap="lg">
      <PageTitle title="Labels" />
      <Text>
        Labels mark post sets of all social sets, such as those of a campaign.
        {!may && ' Owners, admins and editors make and change them. Your role does not.'}
      </Text>
      {may && <NewLabel />}
      {isPending ? (
        <LoadingRows />
      ) : data ? (
        <Labels labels={data} may={may} />
      ) : (
        <ErrorState title="The labels could not be loaded" error={error} onRetry={() => void refetch()} />
      )}
    </Stack>
  )
}

function NewLabel() {
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="new-label">
      <Stack gap="sm">
        <Title order={2} size="h4" id="new-label">
          New label
        </Title>
        <LabelForm
          initial={{ name: '', color: null }}
          nameLabel="Name"
          submitLabel="Add label"
          onSubmit={async (fields) => {
            await createLabel(fields)
            showDone(`Added: ${fields.name}`)
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
        There are no labels yet.{may && ' Add the first one above.'}
      </EmptyState>
    )
  }
  return (
    <Stack component="section" gap="xs" aria-labelledby="all-labels">
      <Title order={2} size="h4" id="all-labels">
        {count(labels.length, 'label')}
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
            nameLabel={`Name of “${label.name}”`}
            submitLabel="Save"
            onSubmit={async (fields) => {
              await updateLabel(label.id, fields)
              showDone(`Saved: ${fields.name}`)
              stop()
            }}
            onCancel={stop}
          />
        </Paper>
      </li>
    )
  }
  return (
    <li className={classes.row}>
      <Group wrap="nowrap" justify="space-between" px="md" py="xs">
        <Group gap="sm" wrap="nowrap" miw={0}>
          <LabelMark color={label.color} />
          <div>
            <Text fw={600}>{label.name}</Text>
            <Text size="sm" c="dimmed">
              {labelColorName(label.color)},{' '}
              {label.postSets === 0 ? 'on no post set' : `on ${count(label.postSets, 'post set')}`}
            </Text>
          </div>
        </Group>
        {may && (
          <Menu position="bottom-end">
            <Menu.Target>
              <ActionIcon ref={menu} aria-label={`Actions for ${label.name}`} color="gray">
                <IconDots size={20} aria-hidden />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item onClick={() => setEditing(true)}>Rename or recolour</Menu.Item>
              {onMerge && <Menu.Item onClick={onMerge}>Merge into another label</Menu.Item>}
              <Menu.Item color="var(--mantine-color-red-text)" onClick={() => void remove(label)}>
                Delete
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
        )}
      </Group>
    </li>
  )
}

/** Removes a label, once the person knows how many post sets it is taken off. */
function useRemove() {
  const confirm = useConfirmAction()
  return async ({ id, name, postSets }: LabelUsage) => {
    const what =
      postSets === 0
        ? 'No post set carries it.'
        : `It is taken off ${count(postSets, 'post set')}; nothing else of ${postSets === 1 ? 'it' : 'them'} changes.`
    const done = await confirm({
      title: `Delete “${name}”?`,
      children: `${what} This cannot be undone.`,
      confirmLabel: 'Delete the label',
      danger: true,
      run: () => removeLabel(id),
    })
    if (done) showDone(`Deleted: ${name}`)
  }
}
