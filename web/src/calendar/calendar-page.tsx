import { Trans, useLingui } from '@lingui/react/macro'
import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { lazyWithWords } from '../api/code.ts'
import { useMay } from '../api/session.ts'
import { PageTitle } from '../design/page-title.tsx'
import { Part } from '../design/part.tsx'
import { EmptyState, ErrorState, LoadingRows } from '../design/states.tsx'
import { RouterButton } from '../frame/links.tsx'
import { socialSetsQuery, useAllBrands, useSocialSet } from '../frame/social-sets.ts'
import { SocialSetCalendar } from './social-set-calendar.tsx'

const BrandsCalendar = lazyWithWords(() =>
  import('./brands-calendar.tsx').then(({ BrandsCalendar }) => ({ default: BrandsCalendar })),
)

/** The calendar of the brand of the address, of the only one, or of all. */
export function Page(): ReactNode {
  const { t } = useLingui()
  const { socialSet, missing, sets } = useSocialSet()
  const { error, refetch } = useQuery(socialSetsQuery)
  const all = useAllBrands()
  if (all && sets) {
    return (
      <Part
        fallback={
          <Stack>
            <PageTitle title={t`Calendar`} />
            <LoadingRows rows={6} height={96} label={t`Loading the calendar…`} />
          </Stack>
        }
      >
        <BrandsCalendar sets={sets} />
      </Part>
    )
  }
  if (socialSet) return <SocialSetCalendar key={socialSet.id} socialSet={socialSet} />
  return (
    <Stack>
      <PageTitle title={t`Calendar`} />
      {missing ? (
        <EmptyState
          action={
            <RouterButton to="/scheduling/calendar/$view" params={{ view: 'month' }} search={{}}>
              <Trans>Show my calendar</Trans>
            </RouterButton>
          }
        >
          <Trans>There is no such brand, or you may not see it.</Trans>
        </EmptyState>
      ) : sets ? (
        <NoSets />
      ) : error ? (
        <ErrorState title={t`The brands could not be loaded`} error={error} onRetry={() => void refetch()} />
      ) : (
        <LoadingRows rows={6} height={96} label={t`Loading the calendar…`} />
      )}
    </Stack>
  )
}

function NoSets() {
  const { t } = useLingui()
  const mayManage = useMay('social-sets:manage')
  return (
    <EmptyState
      action={
        mayManage ? (
          <RouterButton to="/settings/social-sets">
            <Trans>Create a brand</Trans>
          </RouterButton>
        ) : undefined
      }
    >
      {mayManage
        ? t`A calendar belongs to a brand, and there is none yet.`
        : t`There is no brand that you may see. Ask an admin of the account for one.`}
    </EmptyState>
  )
}
