import { t } from '@lingui/core/macro'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { SocialSet } from '#contract'
import { change } from '../api/change.ts'
import { Modal } from '../design/dialogs.tsx'
import { isLabelColor } from '../design/label-colors.ts'
import { showDone, showText } from '../design/toast.tsx'
import { SocialSetForm, type SocialSetValues } from './social-sets-form.tsx'
import { type Keep, movedWords, stayingWords, ZoneChangeFields } from './social-sets-zone-change.tsx'

/** Asks for another name or timezone of a social set. Null: closed. */
export function EditSocialSetDialog({ socialSet, onClose }: { socialSet: SocialSet | null; onClose: () => void }) {
  // While it fades away, what it said stays.
  const [shown, setShown] = useState(socialSet)
  if (socialSet && socialSet !== shown) setShown(socialSet)
  return (
    <Modal
      opened={socialSet !== null}
      onClose={onClose}
      title={shown ? t`Change ${shown.name}` : ''}
      onExitTransitionEnd={() => setShown(null)}
    >
      {shown && <EditForm key={shown.id} socialSet={shown} onClose={onClose} />}
    </Modal>
  )
}

function EditForm({ socialSet, onClose }: { socialSet: SocialSet; onClose: () => void }) {
  const [keep, setKeep] = useState<Keep | null>(null)
  const [missing, setMissing] = useState(false)
  const changesZone = ({ timezone }: Pick<SocialSetValues, 'timezone'>) => timezone !== socialSet.timezone
  const ready = (values: Pick<SocialSetValues, 'timezone'>) => {
    const chosen = keep !== null || !changesZone(values)
    setMissing(!chosen)
    return chosen
  }
  const save = async (values: SocialSetValues) => {
    const { name, color, fit, timezone } = values
    const body = {
      name,
      ...(color !== null && isLabelColor(color) ? { color } : {}),
      ...(fit !== null && fit !== socialSet.fit ? { fit } : {}),
      ...(changesZone(values) ? { timezone, ...(keep ? { keep } : {}) } : {}),
    }
    const { moved } = await change('PATCH /social-sets/:id', { params: { id: socialSet.id }, body })
    // That something shows another clock time now must not be missed.
    if (moved && moved.staying > 0) showText([t`Saved.`, movedWords(moved), stayingWords(moved)].join(' '))
    else showDone(moved ? [t`Saved.`, movedWords(moved)].join(' ') : t`Saved`)
    onClose()
  }
  return (
    <SocialSetForm
      values={{ name: socialSet.name, color: socialSet.color, fit: socialSet.fit, timezone: socialSet.timezone }}
      submitLabel={t`Save`}
      ready={ready}
      save={save}
      onCancel={onClose}
    >
      {({ timezone }) =>
        changesZone({ timezone }) && (
          <ZoneChangeFields
            socialSetId={socialSet.id}
            from={socialSet.timezone}
            to={timezone}
            value={keep}
            onChange={(next) => {
              setKeep(next)
              setMissing(false)
            }}
            error={missing && keep === null ? t`Choose what to keep.` : null}
          />
        )
      }
    </SocialSetForm>
  )
}

/** Asks for a new social set. */
export function NewSocialSetDialog({ opened, timezone: usual, onClose }: NewSocialSetDialogProps) {
  const [turn, setTurn] = useState(0)
  const navigate = useNavigate()
  const save = async ({ name: wanted, timezone }: SocialSetValues) => {
    const { id, name } = await change('POST /social-sets', { body: { name: wanted, timezone } })
    showDone(t`Created ${name}. Connect its accounts next.`)
    onClose()
    await navigate({ to: '/connections', search: { set: id } })
  }
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={t`New brand`}
      onExitTransitionEnd={() => setTurn((last) => last + 1)}
    >
      <SocialSetForm
        key={turn}
        values={{ name: '', color: null, fit: null, timezone: usual }}
        submitLabel={t`Create brand`}
        save={save}
        onCancel={onClose}
      />
    </Modal>
  )
}

interface NewSocialSetDialogProps {
  opened: boolean
  /** The one to begin with. */
  timezone: string
  onClose: () => void
}
