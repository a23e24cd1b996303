import { plural, t } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { Anchor, Badge, Button, Code, Group, Text } from '@mantine/core'
import {
  IconArrowBackUp,
  IconCheck,
  IconClock,
  IconHelpCircle,
  IconLoader2,
  IconPencil,
  IconPlayerPause,
  IconRefresh,
  type TablerIcon,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import type { CardState, DeliveryStep, PostDelivery, PostSet } from '#contract'
import { HOUR_MS } from '#contract/durations'
import { lazyWithWords } from '../api/code.ts'
import { useMay, usePreferences } from '../api/session.ts'
import { NetworkIcon, networkName } from '../design/network-icon.tsx'
import { Part } from '../design/part.tsx'
import { ErrorState, LoadingRows } from '../design/states.tsx'
import { showError } from '../design/toast.tsx'
import { asSentence } from '../design/words.ts'
import { failureAdvice, failureTitle, isWorthRetrying } from '../failures/failure-words.ts'
import { whoWords } from '../holds/hold-words.ts'
import { wordsOfProblem } from '../language/server-words.ts'
import { networksQuery } from '../planning/brands/networks-query.ts'
import { isIncomplete, isLive, isOfInbox } from '../planning/posts/inbox-words.ts'
import { nameOf, subjectOf } from '../planning/posts/subject.ts'
import { editNext } from '../post-set-actions/edit-next.ts'
import { markDone } from '../post-set-actions/mark-done.ts'
import { usePostSetActions } from '../post-set-actions/post-set-actions.tsx'
import { useRetry } from '../post-set-actions/use-retry.tsx'
import { formatDateTime, type TimePreferences } from '../time/zones.ts'
import classes from './panel.module.css'
import { deliveriesQuery } from './post-set-queries.ts'

// Threads rarely end early.
const ContinueThread = lazyWithWords(() =>
  import('./continue-thread.tsx').then(({ ContinueThread }) => ({ default: ContinueThread })),
)

// Few networks have one.
const InInbox = lazyWithWords(() => import('./in-inbox.tsx').then(({ InInbox }) => ({ default: InInbox })))

/** The outcome of a post on every network: what failed first, what worked last and quietly. */
export function Results({ postSet, zone }: { postSet: PostSet; zone: string }) {
  const { t } = useLingui()
  const preferences = usePreferences()
  const { data, error, refetch, isPending } = useQuery(deliveriesQuery(postSet))
  if (error)
    return <ErrorState title={t`The results could not be loaded`} error={error} onRetry={() => void refetch()} />
  if (isPending) return <LoadingRows label={t`Loading the results…`} />
  const rows = postSet.posts.map(({ id, accountType }) => ({
    id,
    accountType,
    delivery: data.data.find(({ postId }) => postId === id),
  }))
  const ended = (status: string) => rows.filter(({ delivery }) => delivery?.result?.status === status)
  const failed = ended('FAILED')
  const published = ended('POSTED').filter(({ delivery }) => isLive(delivery?.result))
  const inbox = rows.filter(({ delivery }) => isOfInbox(delivery?.result))
  const open = rows.filter(({ delivery }) => !delivery?.result)
  const isPart = published.some(({ delivery }) => isIncomplete(delivery?.result))
  const broken = data.data.filter(({ continuation }) => continuation)
  return (
    <>
      <h2 className={classes.title}>{headline(published.length, failed.length, open.length, inbox.length, isPart)}</h2>
      <AnotherTry
        postSet={postSet}
        zone={zone}
        state={data.state}
        done={data.done}
        mayHelp={failed.some(({ delivery }) => delivery?.cause && isWorthRetrying(delivery.cause))}
      />
      {failed.map(
        ({ id, delivery }) => delivery && <Failed key={id} delivery={delivery} zone={zone} preferences={preferences} />,
      )}
      {open.map(({ id, accountType, delivery }) => (
        <Open key={id} accountType={accountType} delivery={delivery} zone={zone} preferences={preferences} />
      ))}
      {inbox.length > 0 && (
        <Part>
          <InInbox postSet={postSet} zone={zone} rows={inbox.flatMap(({ delivery }) => delivery ?? [])} />
        </Part>
      )}
      {published.length > 0 && <Published rows={published.flatMap(({ delivery }) => delivery ?? [])} zone={zone} />}
      {broken.length > 0 && (
        <Part>
          <ContinueThread postSet={postSet} rows={broken} />
          {failed.length === 0 && (
            <Group mt="xs">
              <MarkDone postSet={postSet} done={data.done} />
            </Group>
          )}
        </Part>
      )}
    </>
  )
}

function headline(published: number, failed: number, open: number, inbox: number, isPart: boolean): string {
  const all = published + failed + open + inbox
  if (open > 0) return plural(open, { one: 'Publishing on # network', other: 'Publishing on # networks' })
  if (inbox > 0 && published + failed === 0) return t`Not published yet`
  if (inbox > 0 && failed === 0) return t`Live on ${published} of ${all} networks`
  if (failed === 0 && isPart) {
    return plural(all, {
      one: 'Live on # network, but not all of it',
      other: 'Live on all # networks, but not all of it',
    })
  }
  if (failed === 0) return plural(all, { one: 'Live on # network', other: 'Live on all # networks' })
  if (published === 0) return plural(all, { one: 'It did not go out', other: 'It did not go out on any network' })
  return plural(failed, {
    one: `Live on ${published} of ${all} networks, # needs you`,
    other: `Live on ${published} of ${all} networks, # need you`,
  })
}

interface AnotherTryProps {
  postSet: PostSet
  zone: string
  state: CardState
  /** What failed is marked as done. */
  done: boolean
  /** Something of it may be taken when it is sent again as it is. */
  mayHelp: boolean
}

/** The way on from what failed. What the other networks have stays out of it. */
function AnotherTry({ postSet, zone, state, done, mayHelp }: AnotherTryProps) {
  const { open } = usePostSetActions()
  const { id, scheduledAt } = postSet
  const see = useCallback(() => open(id, scheduledAt), [open, id, scheduledAt])
  const { retry, copyFailed, busy: retrying } = useRetry({ see })
  const mayPublish = useMay('post-sets:publish')
  const retries = mayPublish && mayHelp
  const mayWrite = useMay('post-sets:write')
  const [busy, setBusy] = useState(false)
  const subject = { id, name: nameOf(subjectOf(postSet)) }
  const copy = async () => {
    setBusy(true)
    const made = await copyFailed(subject, zone)
    setBusy(false)
    if (!made) return
    editNext(made.id)
    open(made.id, made.scheduledAt)
  }
  if (!mayWrite || (state !== 'failed' && state !== 'partly-published')) return null
  return (
    <div>
      <Group gap="xs">
        {retries && (
          <Button
            variant="default"
            leftSection={<IconRefresh size={16} aria-hidden />}
            loading={retrying.has(id)}
            onClick={() => void retry(subject)}
          >
            <Trans>Retry</Trans>
          </Button>
        )}
        <Button
          variant="default"
          leftSection={<IconPencil size={16} aria-hidden />}
          loading={busy}
          onClick={() => void copy()}
        >
          <Trans>Fix and try again</Trans>
        </Button>
        <MarkDone postSet={postSet} done={done} />
      </Group>
      <Text size="xs" c="dimmed" mt={4}>
        {retries && <Trans>Retry sends the same again, where nothing is live for certain.</Trans>}{' '}
        <Trans>
          Fix and try again opens a draft for the networks that failed; nothing goes out before you schedule it.
        </Trans>
      </Text>
    </div>
  )
}

/** Nothing has to be done about what failed, or something has, after all. */
function MarkDone({ postSet, done }: Pick<AnotherTryProps, 'postSet' | 'done'>) {
  const { t } = useLingui()
  const [marking, setMarking] = useState(false)
  const mark = async () => {
    setMarking(true)
    await markDone([{ id: postSet.id, name: nameOf(subjectOf(postSet)) }], !done).catch(showError)
    setMarking(false)
  }
  if (!useMay('post-sets:publish')) return null
  return (
    <Button
      variant="default"
      leftSection={done ? <IconArrowBackUp size={16} aria-hidden /> : <IconCheck size={16} aria-hidden />}
      title={done ? undefined : t`Nothing has to be done about it. It leaves the results for everyone.`}
      loading={marking}
      onClick={() => void mark()}
    >
      {done ? <Trans>Bring back</Trans> : <Trans>Mark as done</Trans>}
    </Button>
  )
}

interface DetailsProps {
  delivery: PostDelivery
  zone: string
  preferences: TimePreferences
}

function Failed({ delivery, zone, preferences }: DetailsProps) {
  const { accountType, connectionName, result, cause } = delivery
  const name = networkName(accountType)
  return (
    <section className={classes.failed} aria-label={name}>
      <div className={classes.network}>
        <NetworkIcon accountType={accountType} size={16} decorative />
        <b>{name}</b>
        {connectionName && (
          <Text span size="xs" c="dimmed" dir="auto">
            {connectionName}
          </Text>
        )}
        <Badge color="red" variant="light" tt="none">
          <Trans>Failed</Trans>
        </Badge>
      </div>
      <p>{cause ? `${failureTitle({ accountType, failure: { cause } })}.` : t`${name} refused the post.`}</p>
      {cause && <p>{failureAdvice(cause)}</p>}
      <details>
        <summary>
          <Trans>Details</Trans>
        </summary>
        {result?.message && <p dir="auto">{asSentence(result.message)}</p>}
        {result?.reason && <Code>{result.reason}</Code>} <Times {...{ delivery, zone, preferences }} />
      </details>
    </section>
  )
}

function Open({
  accountType,
  delivery,
  zone,
  preferences,
}: Omit<DetailsProps, 'delivery'> & { accountType: PostDelivery['accountType']; delivery: PostDelivery | undefined }) {
  const { hold, message, state } = delivery ?? { hold: null, message: null, state: 'waiting' as const }
  const { text, Icon } = hold ? { text: t`Stopped`, Icon: IconPlayerPause } : stepOf(state)
  return (
    <section aria-label={networkName(accountType)}>
      <div className={classes.network}>
        <NetworkIcon accountType={accountType} size={16} decorative />
        <b>{networkName(accountType)}</b>
        <Badge color={hold ? 'orange' : 'gray'} variant="light" leftSection={<Icon size={12} aria-hidden />} tt="none">
          {text}
        </Badge>
      </div>
      {hold && (
        <Text size="sm">
          <Trans>It waits because publishing is stopped.</Trans>{' '}
          {whoWords(hold, formatDateTime(hold.since, zone, preferences))}
        </Text>
      )}
      {message && <Text size="sm">{message}</Text>}
      {state === 'looking-up' && (
        <Text size="sm">
          <Trans>The network did not answer. Almanac looks whether the post is there before it does anything.</Trans>
        </Text>
      )}
      {delivery && <Times {...{ delivery, zone, preferences }} />}
    </section>
  )
}

function Times({ delivery, zone, preferences }: DetailsProps) {
  const { result, attempts, nextAt, sentAt, confirmedAt } = delivery
  const at = (instant: string | null) => instant && formatDateTime(instant, zone, preferences)
  const [sent, ended, next] = [at(sentAt), at(confirmedAt), result ? null : at(nextAt)]
  const parts = [
    sent && t`Sent ${sent}`,
    ended && (result?.status === 'POSTED' ? t`Confirmed ${ended}` : t`Ended ${ended}`),
    attempts > 1 && plural(attempts, { one: '# try', other: '# tries' }),
    next && t`Goes on ${next}`,
  ].filter(Boolean)
  if (parts.length === 0) return null
  return (
    <Text size="xs" c="dimmed" span>
      {parts.join(' · ')}
    </Text>
  )
}

function Published({ rows, zone }: { rows: readonly PostDelivery[]; zone: string }) {
  const { t } = useLingui()
  const preferences = usePreferences()
  const [first] = rows.flatMap(({ confirmedAt }) => confirmedAt ?? []).toSorted()
  const when = first === undefined ? '' : formatDateTime(first, zone, preferences)
  const { data: networks } = useQuery(networksQuery)
  // What is published may take a while to be seen.
  const notes = rows.flatMap(({ accountType, confirmedAt }) => {
    const text = networks?.find((each) => each.accountType === accountType)?.agreement?.afterwards
    return text && isFresh(confirmedAt) ? [{ accountType, text }] : []
  })
  const warnings = rows.flatMap(({ accountType, result }) =>
    (result?.warnings ?? []).map(({ code, message }) => ({ accountType, code, message })),
  )
  return (
    <section aria-label={t`Published`}>
      <div className={classes.network}>
        <IconCheck size={16} aria-hidden color="var(--mantine-color-teal-text)" />
        <h2 className={classes.sub}>
          {when === '' ? <Trans>Published. Open on</Trans> : <Trans>Published {when}. Open on</Trans>}
        </h2>
      </div>
      <ul className={classes.links}>
        {rows.map(({ postId, accountType, result }) => (
          <li key={postId}>
            {result?.permalink ? (
              <Anchor href={result.permalink} target="_blank" rel="noopener noreferrer" c="inherit" underline="hover">
                <NetworkIcon accountType={accountType} size={16} decorative />
                {networkName(accountType)}
              </Anchor>
            ) : (
              <span>
                <NetworkIcon accountType={accountType} size={16} decorative />
                {networkName(accountType)}
              </span>
            )}
          </li>
        ))}
      </ul>
      {notes.map(({ accountType, text }) => (
        <Text size="sm" key={accountType} mt={4} lang="en" data-untranslated>
          <b>{networkName(accountType)}:</b> {text}
        </Text>
      ))}
      {warnings.map(({ accountType, code, message }) => (
        <Text size="sm" key={`${accountType} ${code}`} mt={4}>
          <b>{networkName(accountType)}:</b> {wordsOfProblem({ code, message })}
        </Text>
      ))}
    </section>
  )
}

const isFresh = (at: string | null) => at !== null && Date.now() - Date.parse(at) < HOUR_MS

function stepOf(step: DeliveryStep): { text: string; Icon: TablerIcon } {
  switch (step) {
    case 'waiting':
      return { text: t`Waiting`, Icon: IconClock }
    case 'preparing':
      return { text: t`Preparing`, Icon: IconLoader2 }
    case 'sending':
      return { text: t`Sending`, Icon: IconLoader2 }
    case 'confirming':
      return { text: t`Sent, being confirmed`, Icon: IconLoader2 }
    case 'looking-up':
      return { text: t`Unknown, checking`, Icon: IconHelpCircle }
    case 'done':
      return { text: t`Done`, Icon: IconCheck }
  }
}
