import { plural, t } from '@lingui/core/macro'
import { NativeSelect, Text } from '@mantine/core'
import type { LabelUsage } from '#contract'
import { Failure } from '../design/confirm-action.tsx'
import { Modal } from '../design/dialogs.tsx'
import { Form, FormButtons, useForm } from '../design/form.tsx'
import { showDone } from '../design/toast.tsx'
import { mergeLabel } from './labels-requests.ts'

interface MergeDialogProps {
  label: LabelUsage
  others: readonly LabelUsage[]
  onClose: () => void
}

/** Makes a label one with another, which stays. */
export function MergeDialog({ label, others, onClose }: MergeDialogProps) {
  const form = useForm({
    initial: { into: others[0]?.id ?? '' },
    async send({ into }) {
      await mergeLabel(label.id, into)
      showDone(t`Merged “${label.name}” into “${name}”.`)
      onClose()
    },
  })
  const merged = label.name
  const name = others.find(({ id }) => id === form.values.into)?.name ?? ''
  return (
    <Modal
      opened
      onClose={() => !form.busy && onClose()}
      title={t`Merge “${label.name}”`}
      centered
      returnFocus={false}
      transitionProps={{ duration: 0 }}
    >
      <Form form={form}>
        <NativeSelect
          label={t`Into`}
          data={others.map(({ id, name }) => ({ value: id, label: name }))}
          data-autofocus
          {...form.text('into')}
        />
        <Text>
          {plural(label.postSets, {
            0: `No post has “${merged}”. It will be deleted. This cannot be undone.`,
            one: `# post with “${merged}” will have “${name}” instead, and “${merged}” will be deleted. This cannot be undone.`,
            other: `# posts with “${merged}” will have “${name}” instead, and “${merged}” will be deleted. This cannot be undone.`,
          })}
        </Text>
        <Failure error={form.rest} />
        <FormButtons form={form} submit={t`Merge`} onCancel={onClose} />
      </Form>
    </Modal>
  )
}
