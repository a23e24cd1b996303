import { plural } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { ActionIcon, Button } from '@mantine/core'
import { IconPencil, IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useMay, useSession } from '../api/session.ts'
import { RouterAnchor } from '../frame/links.tsx'
import { type Unsaved, unsavedQuery } from './keeping/unsaved.ts'
import classes from './unsaved-line.module.css'

interface UnsavedLineProps {
  socialSetId: string
  onOpen: (text: Unsaved) => void
}

/** Says of a brand that the member has written something and not saved it, with the way back to it. */
export function UnsavedLine({ socialSetId, onOpen }: UnsavedLineProps) {
  const { t } = useLingui()
  const session = useSession()
  const may = useMay('post-sets:write')
  const [hidden, setHidden] = useState(false)
  const { data } = useQuery({ ...unsavedQuery(session, socialSetId), enabled: may && !hidden })
  const [newest, ...others] = data ?? []
  if (!may || hidden || !newest) return null
  const text = newest.text.trim() || t`Post without text`
  const more = others.length
  return (
    <section className={classes.line} aria-label={t`Unsaved text`}>
      <IconPencil size={16} aria-hidden />
      <p>
        <Trans>
          You have not saved this yet: <span dir="auto">“{text}”</span>
        </Trans>
        {more > 0 && (
          <>
            {' '}
            <RouterAnchor to="/drafts" search={{ set: socialSetId }} underline="always">
              {plural(more, { one: 'And # more', other: 'And # more' })}
            </RouterAnchor>
          </>
        )}
      </p>
      <Button variant="default" size="compact-sm" onClick={() => onOpen(newest)}>
        <Trans>Go on writing</Trans>
      </Button>
      <ActionIcon
        variant="subtle"
        color="gray"
        size={28}
        aria-label={t`Hide this line`}
        onClick={() => setHidden(true)}
      >
        <IconX size={16} aria-hidden />
      </ActionIcon>
    </section>
  )
}
