import { Trans, useLingui } from '@lingui/react/macro'
import { ActionIcon, Button } from '@mantine/core'
import { IconPencil, IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../api/client.ts'
import { queryKeys } from '../api/query-keys.ts'
import { useMay, useSession } from '../api/session.ts'
import { keptText } from './kept-draft.ts'
import classes from './unsaved-line.module.css'

interface UnsavedLineProps {
  socialSetId: string
  /** `new`, or the id of the post that was being edited. */
  onOpen: (post: string) => void
}

/** Says of a brand that the member has written something and not saved it, with the way back to it. */
export function UnsavedLine({ socialSetId, onOpen }: UnsavedLineProps) {
  const { t } = useLingui()
  const session = useSession()
  const may = useMay('post-sets:write')
  const [hidden, setHidden] = useState(false)
  const { data: found } = useQuery({
    queryKey: queryKeys.keptDrafts.list({ socialSetId }),
    queryFn: async ({ signal }) => {
      // What the server has not got yet is in this browser.
      const here = keptText(session, socialSetId)
      if (here !== null) return { text: here, post: 'new' }
      const stored = (await call('GET /kept-drafts', { query: { socialSetId }, signal })).data[0]
      return stored ? { text: stored.excerpt, post: stored.postSetId ?? 'new' } : null
    },
    enabled: may && !hidden,
    staleTime: 0,
    gcTime: 0,
  })
  if (!may || hidden || !found) return null
  const text = found.text.trim() || t`Post without text`
  return (
    <section className={classes.line} aria-label={t`Unsaved text`}>
      <IconPencil size={16} aria-hidden />
      <p>
        <Trans>
          You have not saved this yet: <span dir="auto">“{text}”</span>
        </Trans>
      </p>
      <Button variant="default" size="compact-sm" onClick={() => onOpen(found.post)}>
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
