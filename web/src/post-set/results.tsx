import { Alert, Anchor, Badge, Button, Group, Paper, Stack, Text } from '@mantine/core'
import {
  IconCheck,
  IconClock,
  IconExternalLink,
  IconHelpCircle,
  IconLoader2,
  IconPlayerPause,
  IconRefresh,
  IconX,
  type TablerIcon,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { CardState, DeliveryStep, PostDelivery, PostSet } from '#contract'
import { useMay, usePreferences } from '../api/session.ts'
import { NetworkIcon, networkName } from '../design/network-icon.tsx'
import { ErrorState, LoadingRows } from '../design/states.tsx'
import { count } from '../design/words.ts'
import { whoWords } from '../holds/hold-words.ts'
import { usePostSetActions } from '../post-set-actions/post-set-actions.tsx'
import { subjectOf } from '../post-set-actions/subject.ts'
import { formatDateTime, type TimePreferences } from '../time/zones.ts'
import { deliveriesQuery } from './post-set-queries.ts'

/** What became of every post of a set, and what is still under way. */
export function Results({ postSet, zone }: { postSet: PostSet; zone: string }) {
  const preferences = usePreferences()
  const { data, error, refetch, isPending } = useQuery(deliveriesQuery(postSet))
  if (error) return <ErrorState title="The results could not be loaded" error={error} onRetry={() => void refetch()} />
  if (isPending) return <LoadingRows label="Loading the results…" />
  return (
    <Stack gap="sm">
      {postSet.posts.map(({ id, accountType }) => {
        const delivery = data.data.find(({ postId }) => postId === id)
        return (
          <Paper key={id} withBorder p="sm" component="section" aria-label={networkName(accountType)}>
            <Group justify="space-between" align="flex-start">
              <Group gap="xs">
                <NetworkIcon accountType={accountType} decorative />
                <Text fw={600}>{networkName(accountType)}</Text>
                {delivery?.connectionName && (
                  <Text size="sm" c="dimmed">
                    {delivery.connectionName}
                  </Text>
                )}
              </Group>
              <Outcome delivery={delivery} />
            </Group>
            {delivery && <Details delivery={delivery} zone={zone} preferences={preferences} />}
          </Paper>
        )
      })}
      <AnotherTry postSet={postSet} state={data.state} />
    </Stack>
  )
}

/** The way on from what failed. What the other networks have stays out of it. */
function AnotherTry({ postSet, state }: { postSet: PostSet; state: CardState }) {
  const { retryFailed } = usePostSetActions()
  const mayWrite = useMay('post-sets:write')
  const [busy, setBusy] = useState(false)
  if (!mayWrite || (state !== 'failed' && state !== 'partly-published')) return null
  return (
    <Group gap="sm">
      <Button
        variant="default"
        leftSection={<IconRefresh size={16} aria-hidden />}
        loading={busy}
        onClick={() => {
          setBusy(true)
          void retryFailed(subjectOf(postSet)).finally(() => setBusy(false))
        }}
      >
        Try again what failed
      </Button>
      <Text size="sm" c="dimmed">
        Makes a draft of the posts that failed. Nothing goes out before you schedule it.
      </Text>
    </Group>
  )
}

const STEPS: Record<DeliveryStep, { text: string; Icon: TablerIcon }> = {
  waiting: { text: 'Waiting', Icon: IconClock },
  preparing: { text: 'Preparing', Icon: IconLoader2 },
  sending: { text: 'Sending', Icon: IconLoader2 },
  confirming: { text: 'Sent, being confirmed', Icon: IconLoader2 },
  'looking-up': { text: 'Unknown, looking', Icon: IconHelpCircle },
  done: { text: 'Done', Icon: IconCheck },
}

function Outcome({ delivery }: { delivery: PostDelivery | undefined }) {
  const status = delivery?.result?.status
  if (status === 'POSTED') return <Mark color="teal" Icon={IconCheck} text="Published" />
  if (status === 'FAILED') return <Mark color="red" Icon={IconX} text="Failed" />
  if (delivery?.hold) return <Mark color="orange" Icon={IconPlayerPause} text="Stopped" />
  const { text, Icon } = STEPS[delivery?.state ?? 'waiting']
  return <Mark color="gray" Icon={Icon} text={text} />
}

function Mark({ color, Icon, text }: { color: string; Icon: TablerIcon; text: string }) {
  return (
    <Badge color={color} variant="light" leftSection={<Icon size={12} aria-hidden />} tt="none">
      {text}
    </Badge>
  )
}

function Details({
  delivery,
  zone,
  preferences,
}: {
  delivery: PostDelivery
  zone: string
  preferences: TimePreferences
}) {
  const { result, attempts, nextAt, message, hold, sentAt, confirmedAt } = delivery
  const at = (instant: string) => formatDateTime(instant, zone, preferences)
  const times = [
    sentAt && `Sent ${at(sentAt)}`,
    confirmedAt && `${result?.status === 'POSTED' ? 'Confirmed' : 'Ended'} ${at(confirmedAt)}`,
    attempts > 1 && count(attempts, 'try', 'tries'),
    !result && nextAt && `Goes on ${at(nextAt)}`,
  ].filter(Boolean)
  return (
    <Stack gap={6} mt="xs">
      {result?.permalink && (
        <Anchor href={result.permalink} target="_blank" rel="noopener noreferrer" size="sm">
          Open the post <IconExternalLink size={14} role="img" aria-label="(new tab)" />
        </Anchor>
      )}
      {result?.status === 'FAILED' && (
        <Alert role="alert" color="red" p="xs">
          <Text size="sm">{result.message ?? 'The network refused the post.'}</Text>
          {result.reason && (
            <Text size="xs" mt={4}>
              {REASONS[result.reason]} <code>{result.reason}</code>
            </Text>
          )}
        </Alert>
      )}
      {result?.warnings?.map((warning) => (
        <Alert key={warning.code} color="yellow" p="xs">
          <Text size="sm">{warning.message}</Text>
        </Alert>
      ))}
      {hold && <Text size="sm">It waits because publishing is stopped. {whoWords(hold, at(hold.since))}</Text>}
      {!result && message && <Text size="sm">{message}</Text>}
      {delivery.state === 'looking-up' && (
        <Text size="sm">
          The network did not answer. Almanac looks whether the post is there before it does anything.
        </Text>
      )}
      {times.length > 0 && (
        <Text size="xs" c="dimmed">
          {times.join(' · ')}
        </Text>
      )}
    </Stack>
  )
}

/** What to do about each reason of the interface. */
const REASONS: Record<NonNullable<NonNullable<PostDelivery['result']>['reason']>, string> = {
  ACCOUNT_CONNECTION_EXPIRED: 'Connect the account again, then try again what failed.',
  ACCOUNT_RESTRICTED: 'The network restricts this account: see its own pages.',
  ACCOUNT_RESTRICTED_SPAM: 'The network takes this account for spam: see its own pages.',
  ACCOUNT_SUSPENDED: 'The network has suspended this account: see its own pages.',
  ACTION_BLOCKED: 'The network blocks this action for the account, often for a while.',
  CAPTION_TOO_LONG: 'Try again what failed, with a shorter caption.',
  UNKNOWN_MEDIA_ERROR: 'Try again what failed, with another file.',
  UNKNOWN: 'Look at the account on the network before you try again: the post may be there.',
}
