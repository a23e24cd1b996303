import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useMay } from '../api/session.ts'
import { PageTitle } from '../design/page-title.tsx'
import { EmptyState, ErrorState, LoadingRows } from '../design/states.tsx'
import { RouterButton } from '../shell/links.tsx'
import { socialSetsQuery, useSocialSet } from '../shell/social-sets.ts'
import './colors.css'
import { SocialSetCalendar } from './social-set-calendar.tsx'

/** The calendar of a social set: that of the address, or the one looked at last. */
export function Page(): ReactNode {
  const { socialSet, missing, sets } = useSocialSet()
  const { error, refetch } = useQuery(socialSetsQuery)
  if (socialSet) return <SocialSetCalendar key={socialSet.id} socialSet={socialSet} />
  return (
    <Stack>
      <PageTitle title="Calendar" />
      {missing ? (
        <EmptyState
          action={
            <RouterButton to="/scheduling/calendar/$view" params={{ view: 'month' }} search={{}}>
              Show my calendar
            </RouterButton>
          }
        >
          There is no such social set, or you may not see it.
        </EmptyState>
      ) : sets ? (
        <NoSets />
      ) : error ? (
        <ErrorState title="The social sets could not be loaded" error={error} onRetry={() => void refetch()} />
      ) : (
        <LoadingRows rows={6} height={96} label="Loading the calendar…" />
      )}
    </Stack>
  )
}

function NoSets() {
  const mayManage = useMay('social-sets:manage')
  return (
    <EmptyState
      action={mayManage ? <RouterButton to="/settings/social-sets">Make a social set</RouterButton> : undefined}
    >
      {mayManage
        ? 'A calendar belongs to a social set, and there is none yet.'
        : 'There is no social set that you may see. Ask an admin of the account for one.'}
    </EmptyState>
  )
}
