import { Button, Group, NativeSelect, Stack, Text } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { LabelUsage } from '#contract'
import { Failure } from '../design/confirm-action.tsx'
import { Modal } from '../design/dialogs.tsx'
import { showDone } from '../design/toast.tsx'
import { count } from '../design/words.ts'
import { mergeLabel } from './labels-requests.ts'

interface MergeDialogProps {
  label: LabelUsage
  others: readonly LabelUsage[]
  onClose: () => void
}

/** Makes a label one with another, which stays. */
export function MergeDialog({ label, others, onClose }: MergeDialogProps) {
  const [into, setInto] = useState(others[0]?.id ?? '')
  const [failure, setFailure] = useState<unknown>(null)
  const [busy, setBusy] = useState(false)
  const name = others.find(({ id }) => id === into)?.name ?? ''
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    setFailure(null)
    try {
      await mergeLabel(label.id, into)
      showDone(`“${label.name}” is “${name}” now.`)
      onClose()
    } catch (error) {
      setFailure(error)
      setBusy(false)
    }
  }
  return (
    <Modal
      opened
      onClose={() => !busy && onClose()}
      title={`Merge “${label.name}”`}
      centered
      returnFocus={false}
      transitionProps={{ duration: 0 }}
    >
      <form onSubmit={(event) => void submit(event)}>
        <Stack>
          <NativeSelect
            label="Into"
            data={others.map(({ id, name }) => ({ value: id, label: name }))}
            value={into}
            onChange={(event) => setInto(event.currentTarget.value)}
            data-autofocus
          />
          <Text>
            {label.postSets === 0
              ? `No post set carries “${label.name}”. It is gone afterwards.`
              : `${count(label.postSets, 'post set')} with “${label.name}” will carry “${name}” instead, and “${label.name}” is gone.`}{' '}
            This cannot be undone.
          </Text>
          <Failure error={failure} />
          <Group justify="flex-end">
            <Button variant="default" disabled={busy} onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={busy}>
              Merge
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
