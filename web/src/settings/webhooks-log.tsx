import { i18n } from '@lingui/core'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Code, Group, Select, Stack, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Webhook, WebhookAttempt } from '#contract'
import { DAY_MS } from '#contract/durations'
import { Modal } from '../design/dialogs.tsx'
import { RelativeTime } from '../design/relative-time.tsx'
import { ShowMore } from '../design/show-more.tsx'
import { EmptyState, ErrorState, LoadingRows } from '../design/states.tsx'
import { showDone, showError } from '../design/toast.tsx'
import { useIsWide } from '../frame/use-is-wide.ts'
import { resend, webhookLogQuery } from './webhooks-requests.ts'
import { sendWords } from './webhooks-words.ts'

/** What is under way changes by itself. */
const LOOK_MS = 5_000
/** A log is kept for so long. */
const KEPT_DAYS = 30

/** Each request that was made to an endpoint, with a way to send its event again. */
export function WebhookLog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const wide = useIsWide()
  const { id, url, closed } = webhook
  const [which, setWhich] = useState<'all' | 'failed'>('all')
  const query = useInfiniteQuery({
    ...webhookLogQuery({ id, failed: which === 'failed' }),
    refetchInterval: LOOK_MS,
  })
  const attempts = query.data?.pages.flatMap(({ data }) => data)
  const again = async (body: Parameters<typeof resend>[1]) => {
    try {
      const queued = await resend(id, body)
      showDone(
        plural(queued, {
          0: 'Nothing has to be sent again.',
          one: '# event is sent again',
          other: '# events are sent again',
        }),
      )
      void query.refetch()
    } catch (error) {
      showError(error)
    }
  }
  return (
    <Modal opened onClose={onClose} title={t`What was sent`} size="lg" fullScreen={!wide}>
      <Stack>
        <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {url}
        </Text>
        <Group justify="space-between" align="flex-end">
          <Select
            label={t`Show`}
            data={[
              { value: 'all', label: t`All of ${KEPT_DAYS} days` },
              { value: 'failed', label: t`What failed` },
            ]}
            value={which}
            allowDeselect={false}
            onChange={(value) => setWhich(value === 'failed' ? 'failed' : 'all')}
          />
          {!closed && (
            <Button
              variant="default"
              onClick={() => void again({ since: new Date(Date.now() - KEPT_DAYS * DAY_MS).toISOString() })}
            >
              <Trans>Send all that failed again</Trans>
            </Button>
          )}
        </Group>
        {query.isPending ? (
          <LoadingRows />
        ) : !attempts ? (
          <ErrorState title={t`The log could not be loaded`} error={query.error} onRetry={() => void query.refetch()} />
        ) : attempts.length === 0 ? (
          <EmptyState>{which === 'failed' ? t`Nothing has failed.` : t`Nothing was sent yet.`}</EmptyState>
        ) : (
          <Stack component="ol" gap="md" p={0} m={0} style={{ listStyle: 'none' }} aria-label={t`What was sent`}>
            {attempts.map((attempt) => (
              <li key={attempt.id}>
                <Attempt
                  attempt={attempt}
                  // Another test is sent instead.
                  onAgain={
                    closed || attempt.event.position === null ? null : () => void again({ eventId: attempt.event.id })
                  }
                />
              </li>
            ))}
          </Stack>
        )}
        <ShowMore query={query} />
      </Stack>
    </Modal>
  )
}

function Attempt({ attempt, onAgain }: { attempt: WebhookAttempt; onAgain: (() => void) | null }) {
  const { at, durationMs, status, failure, answer, event, state, nextAt } = attempt
  return (
    <Group justify="space-between" wrap="nowrap" align="flex-start">
      <Stack gap={4} miw={0} style={{ overflowWrap: 'anywhere' }}>
        <Text size="sm" fw={600}>
          {event.type}
        </Text>
        <Text size="sm">
          <RelativeTime instant={at} />
          {' · '}
          {status === null ? t`no answer` : t`answered ${status}`}
          {' · '}
          {t`${durationMs} ms`}
          {' · '}
          {i18n._(sendWords[state])}
          {nextAt && (
            <>
              {' '}
              <RelativeTime instant={nextAt} />
            </>
          )}
        </Text>
        {failure && (
          <Text size="sm" c="var(--mantine-color-error)">
            {failure}
          </Text>
        )}
        {answer && (
          <Code
            block
            fz="xs"
            mah={120}
            style={{ overflow: 'auto' }}
            tabIndex={0}
            role="region"
            aria-label={t`The answer`}
          >
            {answer}
          </Code>
        )}
      </Stack>
      {onAgain && (
        <Button size="compact-sm" variant="default" flex="none" onClick={onAgain}>
          <Trans>Send again</Trans>
        </Button>
      )}
    </Group>
  )
}
