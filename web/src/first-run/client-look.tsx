import { useLingui } from '@lingui/react/macro'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { SocialSet } from '#contract'
import { openAsGuest, sharedCalendarsQuery } from '../planning/shared-calendars.ts'

/** Leads to the shared calendar of a brand as its guests see it; nothing where there is none. */
export function ClientLook({ socialSet }: { socialSet: SocialSet }) {
  const { t } = useLingui()
  const { data } = useQuery(sharedCalendarsQuery)
  const [busy, setBusy] = useState(false)
  const shared = data?.find(({ state, socialSetIds }) => state === 'open' && socialSetIds.includes(socialSet.id))
  if (!shared) return null
  const open = async () => {
    setBusy(true)
    await openAsGuest(shared)
    setBusy(false)
  }
  return (
    <Button variant="subtle" size="compact-sm" loading={busy} onClick={() => void open()}>
      {t`See what your client sees`}
    </Button>
  )
}
