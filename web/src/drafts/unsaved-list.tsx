import { Trans, useLingui } from '@lingui/react/macro'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { SocialSet } from '#contract'
import { useMay, useSession } from '../api/session.ts'
import { RelativeTime } from '../design/relative-time.tsx'
import rows from '../design/rows.module.css'
import { showError, showUndo } from '../design/toast.tsx'
import { BrandName } from '../frame/brand-face.tsx'
import { RouterAnchor } from '../frame/links.tsx'
import { discardUnsaved } from '../post-set/keeping/discard-unsaved.ts'
import { type Unsaved, unsavedChanged, unsavedQuery } from '../post-set/keeping/unsaved.ts'
import classes from './drafts.module.css'

/** What the member has written in a brand, or in all that they see, and not saved: no one else sees it. */
export function UnsavedList({ brands }: { brands: SocialSet | ReadonlyMap<string, SocialSet> }) {
  const { t } = useLingui()
  const session = useSession()
  const may = useMay('post-sets:write')
  const where = 'id' in brands ? brands.id : [...brands.keys()]
  const { data = [] } = useQuery({ ...unsavedQuery(session, where), enabled: may })
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
          <UnsavedRow key={text.id} text={text} brand={'id' in brands ? null : brands.get(text.socialSetId)} />
        ))}
      </ul>
    </section>
  )
}

/** `brand`: where the list is over all of them. */
function UnsavedRow({ text: unsaved, brand }: { text: Unsaved; brand: SocialSet | null | undefined }) {
  const { t } = useLingui()
  const session = useSession()
  const { id, socialSetId, postSetId, text, at } = unsaved
  const name = text.trim().split('\n')[0] || t`Post without text`
  // What is new is written over all brands where it was listed there; a post that is there is opened in its own.
  const search =
    postSetId === null
      ? { ...(brand ? { brand: brand.id } : { set: socialSetId }), post: 'new', draft: id }
      : { set: socialSetId, post: postSetId }
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
          {brand && <BrandName brand={brand} small />} {postSetId !== null && <Trans>Changes to a post</Trans>}{' '}
          <RelativeTime instant={at} />
        </span>
      </div>
      <Button variant="default" size="compact-sm" aria-label={t`Discard “${name}”`} onClick={() => void discard()}>
        <Trans>Discard</Trans>
      </Button>
    </li>
  )
}
