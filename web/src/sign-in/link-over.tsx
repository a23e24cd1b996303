import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Alert, Stack } from '@mantine/core'
import { IconLinkOff } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { PageTitle } from '../design/page-title.tsx'
import { RouterButton } from '../frame/links.tsx'

/** A link that opens nothing any more, and where a new one comes from. */
export function LinkOver({ title = t`Link not valid`, children, to, label }: LinkOverProps) {
  return (
    <Stack>
      <PageTitle title={title} />
      <Alert color="yellow" icon={<IconLinkOff aria-hidden />}>
        {children}
      </Alert>
      <RouterButton to={to}>{label}</RouterButton>
    </Stack>
  )
}

/** What is shown where a link should have been opened, and was not. */
export function LinkIncomplete() {
  return (
    <LinkOver title={t`Link not complete`} to="/sign-in" label={t`Go to the sign-in`}>
      <Trans>This page needs the whole link. Open it again from the message, or copy all of it.</Trans>
    </LinkOver>
  )
}

interface LinkOverProps {
  title?: string
  children: ReactNode
  to: '/forgot-password' | '/settings/profile' | '/sign-in'
  label: string
}
