import { useLingui } from '@lingui/react/macro'
import type { Label } from '#contract'
import { Modal } from '../design/dialogs.tsx'
import { createLabel } from '../planning/labels/create-label.ts'
import { LabelForm } from '../planning/labels/label-form.tsx'

interface NewLabelProps {
  onClose: () => void
  onCreated: (label: Label) => void
}

/** Creates a label where it is missed: the post gets it at once. */
export function NewLabel({ onClose, onCreated }: NewLabelProps) {
  const { t } = useLingui()
  return (
    <Modal opened onClose={onClose} title={t`New label`}>
      <LabelForm
        initial={{ name: '', color: null }}
        nameLabel={t`Name`}
        submitLabel={t`Create label`}
        onSubmit={async (fields) => onCreated(await createLabel(fields))}
        onCancel={onClose}
      />
    </Modal>
  )
}
