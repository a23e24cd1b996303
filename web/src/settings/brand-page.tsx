import '../design/more-styles.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Paper, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { PageTitle } from '../design/page-title.tsx'
import { EmptyState, ErrorState, LoadingRows } from '../design/states.tsx'
import { RouterAnchor } from '../frame/links.tsx'
import { socialSetsQuery } from '../frame/social-sets.ts'
import { HashtagGroups } from '../planning/labels/hashtag-groups.tsx'
import { ApprovalRuleSection } from './brand-approval.tsx'
import { SavedTimes } from './brand-times.tsx'

/** Who approves the posts of a brand, and what the composer offers: its times of the week, and hashtags that belong together. */
export function Page(): ReactNode {
  const { id } = useParams({ strict: false })
  const { data: sets, error, refetch } = useQuery(socialSetsQuery)
  const socialSet = sets?.find((each) => each.id === id)
  return (
    <Stack gap="lg">
      <RouterAnchor to="/settings/social-sets" size="sm">
        <Trans>All brands</Trans>
      </RouterAnchor>
      <PageTitle
        title={socialSet ? t`Approval, times and hashtags of ${socialSet.name}` : t`Approval, times and hashtags`}
      />
      {error && !sets ? (
        <ErrorState title={t`The brands could not be loaded`} error={error} onRetry={() => void refetch()} />
      ) : !sets ? (
        <LoadingRows />
      ) : !socialSet ? (
        <EmptyState>
          <Trans>This page does not exist, or you do not have access to it.</Trans>
        </EmptyState>
      ) : (
        <>
          <ApprovalRuleSection key={`rule ${socialSet.id}`} socialSet={socialSet} />
          <Text c="dimmed">
            <Trans>What the composer offers to everyone who writes for this brand.</Trans>
          </Text>
          <SavedTimes key={`times ${socialSet.id}`} socialSet={socialSet} />
          <Paper withBorder p="lg">
            <HashtagGroups key={`hashtags ${socialSet.id}`} socialSet={socialSet} />
          </Paper>
        </>
      )}
    </Stack>
  )
}
