import { Alert, Stack } from '@mantine/core'
import { IconLinkOff } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { PageTitle } from '../design/page-title.tsx'
import { RouterButton } from '../shell/links.tsx'

/** A link that opens nothing any more, and where a new one comes from. */
export function LinkOver({ title = 'Link not valid', children, to, label }: LinkOverProps) {
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

interface LinkOverProps {
  title?: string
  children: ReactNode
  to: '/forgot-password' | '/settings/profile' | '/sign-in'
  label: string
}
