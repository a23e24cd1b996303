import { plural } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { Button } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { SocialSet } from '#contract'
import { useMay, useSession } from '../api/session.ts'
import { NoticeLine } from '../design/notice-line.tsx'
import { BrandName } from '../frame/brand-face.tsx'
import { RouterAnchor } from '../frame/links.tsx'
import { changedSearch } from '../frame/search.ts'
import { unsavedQuery } from './keeping/unsaved.ts'

/** Says of a brand, or of all, that the member has written something and not saved it, with the way back to it. */
export function UnsavedLine({ brands }: { brands: SocialSet | readonly SocialSet[] }) {
  const { t } = useLingui()
  const session = useSession()
  const navigate = useNavigate()
  const may = useMay('post-sets:write')
  const [hidden, setHidden] = useState(false)
  const all = 'id' in brands ? null : brands
  const where = 'id' in brands ? brands.id : brands.map(({ id }) => id)
  const { data } = useQuery({ ...unsavedQuery(session, where), enabled: may && !hidden })
  const [newest, ...others] = data ?? []
  if (!may || hidden || !newest) return null
  const goOn = () => {
    const { id, postSetId, socialSetId: brand } = newest
    const opened =
      postSetId === null ? { post: 'new', draft: id, ...(all && { brand }) } : { post: postSetId, draft: undefined }
    void navigate({
      to: '.',
      search: (search) => changedSearch(search, { note: undefined, at: undefined, ...opened }),
    })
  }
  const text = newest.text.trim() || t`Post without text`
  const more = others.length
  const brand = all?.find(({ id }) => id === newest.socialSetId)
  return (
    <NoticeLine
      tone="accent"
      label={t`Unsaved text`}
      Icon={IconPencil}
      action={
        <Button variant="default" size="compact-sm" onClick={goOn}>
          <Trans>Continue writing</Trans>
        </Button>
      }
      hide={{ label: t`Hide this line`, run: () => setHidden(true) }}
    >
      {brand && <BrandName brand={brand} small />}{' '}
      <Trans>
        You have not saved this yet: <span dir="auto">“{text}”</span>
      </Trans>
      {more > 0 && (
        <>
          {' '}
          <RouterAnchor to="/drafts" search={'id' in brands ? { set: brands.id } : {}} underline="always">
            {plural(more, { one: 'And # more', other: 'And # more' })}
          </RouterAnchor>
        </>
      )}
    </NoticeLine>
  )
}
