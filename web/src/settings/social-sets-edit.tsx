import { useState } from 'react'
import type { ChangedSocialSet, SocialSet } from '#contract'
import { api } from '../api/client.ts'
import { queryClient } from '../api/query-client.ts'
import { queryKeys } from '../api/query-keys.ts'
import { Modal } from '../design/dialogs.tsx'
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
      title={shown ? `Change ${shown.name}` : ''}
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
    const { name, timezone } = values
    const body = { name, ...(changesZone(values) ? { timezone, keep } : {}) }
    const { moved } = await api.patch<ChangedSocialSet>(`/social-sets/${socialSet.id}`, body)
    await socialSetsChanged()
    // That something shows another clock time now must not be missed.
    if (moved && moved.staying > 0) showText(`Saved. ${movedWords(moved)} moved. ${stayingWords(moved)}`)
    else showDone(moved ? `Saved. ${movedWords(moved)} moved.` : 'Saved')
    onClose()
  }
  return (
    <SocialSetForm
      values={{ name: socialSet.name, timezone: socialSet.timezone }}
      submitLabel="Save"
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
            error={missing && keep === null ? 'Choose what stays.' : null}
          />
        )
      }
    </SocialSetForm>
  )
}

/** Asks for a new social set. */
export function NewSocialSetDialog({ opened, timezone, onClose }: NewSocialSetDialogProps) {
  const [turn, setTurn] = useState(0)
  const save = async (values: SocialSetValues) => {
    const { name } = await api.post<SocialSet>('/social-sets', values)
    await socialSetsChanged()
    showDone(`${name} is there. Connect its accounts next.`)
    onClose()
  }
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title="New social set"
      onExitTransitionEnd={() => setTurn((last) => last + 1)}
    >
      <SocialSetForm key={turn} values={{ name: '', timezone }} submitLabel="Make it" save={save} onCancel={onClose} />
    </Modal>
  )
}

interface NewSocialSetDialogProps {
  opened: boolean
  /** The one to begin with. */
  timezone: string
  onClose: () => void
}

/** Names, zones and, with them, the times of everything that is planned may be others now. */
async function socialSetsChanged(): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: queryKeys.socialSets.all })
  void queryClient.invalidateQueries()
}
