import { t } from '@lingui/core/macro'
import type { SocialSet } from '#contract'
import { usePreferences } from '../api/session.ts'
import { Modal } from '../design/dialogs.tsx'
import { BrandList } from '../frame/brand-list.tsx'
import { longDay } from '../planning/dates/titles.ts'
import type { Begun } from './over.ts'

interface ChooseBrandProps {
  begun: Begun
  brands: readonly SocialSet[]
  onChoose: (brand: SocialSet) => void
  onClose: () => void
}

/** Which brand something new is for. */
export function ChooseBrand({ begun, brands, onChoose, onClose }: ChooseBrandProps) {
  const { locale } = usePreferences()
  const title = () => {
    if (begun.date === null) return begun.kind === 'note' ? t`New note for which brand?` : t`New post for which brand?`
    const day = longDay(Temporal.PlainDate.from(begun.date), locale)
    return begun.kind === 'note' ? t`New note on ${day}: for which brand?` : t`New post on ${day}: for which brand?`
  }
  return (
    <Modal opened onClose={onClose} title={title()} size="sm">
      <BrandList sets={brands} chosen={undefined} onChoose={onChoose} />
    </Modal>
  )
}
