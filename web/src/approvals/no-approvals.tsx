import { Trans } from '@lingui/react/macro'
import { IconChecks } from '@tabler/icons-react'
import type { ApprovalTab } from '#contract'
import { useMay } from '../api/session.ts'
import { EmptyState } from '../design/states.tsx'
import { RouterAnchor, RouterButton } from '../frame/links.tsx'

/** A tab with nothing in it, and what to do. */
export function NoApprovals({ tab }: { tab: ApprovalTab }) {
  const reviews = useMay('post-sets:review')
  const writes = useMay('post-sets:write')
  const rules = useMay('social-sets:manage')
  return (
    <EmptyState
      icon={<IconChecks size={32} aria-hidden />}
      action={
        tab === 'requested' && writes ? (
          <RouterButton to="/drafts">
            <Trans>Go to the drafts</Trans>
          </RouterButton>
        ) : (
          <>
            <RouterButton to="/scheduling/calendar/$view" params={{ view: 'month' }} search={{}}>
              <Trans>Go to the calendar</Trans>
            </RouterButton>
            {rules && tab === 'waiting' && (
              <RouterAnchor to="/settings/social-sets" size="sm">
                <Trans>Set whose approval posts need</Trans>
              </RouterAnchor>
            )}
          </>
        )
      }
    >
      {tab === 'waiting' ? (
        reviews && writes ? (
          <Trans>
            All done. When someone asks for your approval, the post appears here. What you changed last yourself waits
            for someone else, and is in Drafts.
          </Trans>
        ) : reviews ? (
          <Trans>All done. When someone asks for your approval, the post appears here.</Trans>
        ) : (
          <Trans>
            Nothing waits for you: your role writes posts, and others review them. What you ask for is below Requested
            by me.
          </Trans>
        )
      ) : tab === 'requested' ? (
        <Trans>You have not asked for an approval. Write a post and choose Request approval.</Trans>
      ) : (
        <Trans>Nothing has been decided yet. Approvals and requested changes of the team are kept here.</Trans>
      )}
    </EmptyState>
  )
}
