import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Container, Stack, Text } from '@mantine/core'
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { isCodeMissing } from '../api/code.ts'
import { queryClient } from '../api/query-client.ts'
import { PageTitle } from '../design/page-title.tsx'
import { ErrorState } from '../design/states.tsx'
import { RouterButton } from '../frame/links.tsx'
import { PlainPage } from './public-layout.tsx'

/** A screen that could not be shown. */
export function ErrorPage({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  const retry = () => {
    // What has tried to load it will not try again.
    if (isCodeMissing(error)) return window.location.reload()
    // What failed is read again; what is there stays.
    void queryClient.resetQueries({ predicate: ({ state }) => state.status === 'error' })
    reset()
    void router.invalidate()
  }
  return (
    <Container size="sm" py="xl" px={0}>
      <Stack>
        <PageTitle title={t`Something went wrong`} />
        <ErrorState title={t`This page could not be shown`} error={error} onRetry={retry} />
      </Stack>
    </Container>
  )
}

/** An address that leads nowhere. */
export function NotFoundPage() {
  return (
    <Container size="sm" py="xl" px={0}>
      <Stack align="flex-start">
        <PageTitle title={t`Not found`} />
        <Text>
          <Trans>This page does not exist, or you do not have access to it.</Trans>
        </Text>
        <RouterButton to="/scheduling/calendar/$view" params={{ view: 'month' }}>
          <Trans>Go to the calendar</Trans>
        </RouterButton>
      </Stack>
    </Container>
  )
}

/** The same two where no layout stands around them. */
export function PlainErrorPage(props: ErrorComponentProps) {
  return (
    <PlainPage>
      <ErrorPage {...props} />
    </PlainPage>
  )
}

export function PlainNotFoundPage() {
  return (
    <PlainPage>
      <NotFoundPage />
    </PlainPage>
  )
}
