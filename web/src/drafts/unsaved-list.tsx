import { Trans, useLingui } from '@lingui/react/macro'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { SocialSet } from '#contract'
import { useMay, useSession } from '../api/session.ts'
import { RelativeTime } from '../design/relative-time.tsx'
import rows from '../design/rows.module.css'
import { showError, showUndo } from '../design/toast.tsx'
import { RouterAnchor } from '../frame/links.tsx'
import { discardUnsaved } from '../post-set/keeping/discard-unsaved.ts'
import { type Unsaved, unsavedChanged, unsavedQuery } from '../post-set/keeping/unsaved.ts'
import classes from './drafts.module.css'

/** What the member has written in a brand and not saved: nobody else sees it. */
export function UnsavedList({ socialSet }: { socialSet: SocialSet }) {
  const { t } = useLingui()
  const session = useSession()
  const may = useMay('post-sets:write')
  const { data = [] } = useQuery({ ...unsavedQuery(session, socialSet.id), enabled: may })
  if (!may || data.length === 0) return null
  return (
    <section aria-label={t`Not saved`} className={classes.unsaved}>
      <h2 className={classes.unsavedTitle}>
        <Trans>Not saved</Trans>
      </h2>
      <p className={rows.meta}>
        <Trans>Only you see these.</Trans>
      </p>
      <ul className={rows.list}>
        {data.map((text) => (
          <UnsavedRow key={text.id} text={text} socialSetId={socialSet.id} />
        ))}
      </ul>
    </section>
  )
}

function UnsavedRow({ text: unsaved, socialSetId }: { text: Unsaved; socialSetId: string }) {
  const { t } = useLingui()
  const session = useSession()
  const { id, postSetId, text, at } = unsaved
  const name = text.trim().split('\n')[0] || t`Post without text`
  const search =
    postSetId === null ? { set: socialSetId, post: 'new', draft: id } : { set: socialSetId, post: postSetId }
  const discard = async () => {
    try {
      const undo = await discardUnsaved(session, socialSetId, unsaved)
      await unsavedChanged()
      showUndo({
        message: t`What you wrote was discarded.`,
        undo: async () => {
          await undo()
          await unsavedChanged()
        },
      })
    } catch (error) {
      showError(error)
    }
  }
  return (
    <li className={classes.unsavedRow}>
      <div className={rows.what}>
        <RouterAnchor
          to="/scheduling/calendar/$view"
          params={{ view: 'month' }}
          search={search}
          className={rows.name}
          underline="hover"
          dir="auto"
        >
          {name}
        </RouterAnchor>
        <span className={rows.meta}>
          {postSetId !== null && <Trans>Changes to a post</Trans>} <RelativeTime instant={at} />
        </span>
      </div>
      <Button variant="default" size="compact-sm" aria-label={t`Discard “${name}”`} onClick={() => void discard()}>
        <Trans>Discard</Trans>
      </Button>
    </li>
  )
}
