import { Trans, useLingui } from '@lingui/react/macro'
import { Alert, Button } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { ApprovalItem, PostSet, SocialSet } from '#contract'
import { usePreferences } from '../api/session.ts'
import { Comments } from '../comments/comments.tsx'
import { networkName } from '../design/network-icon.tsx'
import { RelativeTime } from '../design/relative-time.tsx'
import { listOf } from '../design/words.ts'
import { RouterAnchor } from '../frame/links.tsx'
import { ApprovalWarning } from '../planning/approvals/approval-warning.tsx'
import { APPROVAL_WORDS } from '../planning/approvals/approval-words.ts'
import { ApprovalCount, ChangedSinceYours } from '../planning/approvals/review-notices.tsx'
import { changesQuery } from '../planning/approvals/review-queries.ts'
import { decisionWords, whoWords } from '../planning/approvals/review-words.ts'
import { ChangesShown } from '../planning/posts/changes-shown.tsx'
import { nameOf, subjectOf } from '../planning/posts/subject.ts'
import { History } from '../post-set/history.tsx'
import { Stage } from '../post-set/stage.tsx'
import { versionOf } from '../post-set-actions/change.ts'
import { formatDateTime, zoneChip } from '../time/zones.ts'
import classes from './approvals.module.css'
import { Decide } from './decide.tsx'

interface ReviewProps {
  item: ApprovalItem
  postSet: PostSet
  socialSet: SocialSet
  /** The post was read after it was opened, and is not what an earlier look has left. */
  fresh: boolean
  onDecided: (how: 'approved' | 'changes') => void
}

/** A post as its networks will show it, beside what is known and said about it and the decision. */
export function Review({ item, postSet, socialSet, fresh, onDecided }: ReviewProps) {
  const { t } = useLingui()
  // The version that the person has looked at: a decision is about that one. Own changes are known.
  const [opened, setSeen] = useState(postSet.version)
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is there when it has come is what is looked at
  useEffect(() => {
    if (fresh) setSeen(postSet.version)
  }, [fresh])
  const seen = versionOf({ id: postSet.id, version: opened }).version
  const subject = { ...subjectOf(postSet), version: seen }
  return (
    <section className={classes.both} aria-label={t`Review of “${nameOf(subject)}”`} data-review tabIndex={-1}>
      <Stage postSet={postSet} socialSet={socialSet} />
      <div className={classes.side}>
        <div className={classes.about}>
          {postSet.version > seen && (
            <ChangedMeanwhile
              postSet={postSet}
              since={seen}
              zone={item.timezone}
              onSeen={() => setSeen(postSet.version)}
            />
          )}
          <Facts item={item} />
          <ApprovalWarning subject={item} />
          <ApprovalCount item={item} />
          <ChangedSinceYours item={item} />
          <Comments postSetId={item.id} />
          <section aria-label={t`History`} className={classes.history}>
            <h2>
              <Trans>History</Trans>
            </h2>
            <History postSetId={item.id} zone={item.timezone} />
          </section>
        </div>
        <Decide
          item={item}
          subject={subject}
          postSet={postSet}
          socialSet={socialSet}
          onSaved={setSeen}
          onDecided={onDecided}
        />
      </div>
    </section>
  )
}

interface ChangedMeanwhileProps {
  postSet: PostSet
  since: number
  zone: string
  onSeen: () => void
}

/** What others changed while the post was open. What it says is seen when the person says so; the rest is seen at once. */
function ChangedMeanwhile({ postSet: { id, version }, since, zone, onSeen }: ChangedMeanwhileProps) {
  const { data } = useQuery(changesQuery(id, since, version))
  const nothing = data !== undefined && Object.keys(data.changes).length === 0 && data.earlier === 0
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each version
  useEffect(() => {
    if (nothing) onSeen()
  }, [nothing, version])
  if (!data || nothing) return null
  return (
    <Alert
      color="yellow"
      role="alert"
      p="sm"
      icon={<IconRefresh aria-hidden />}
      title={<Trans>Changed while you were looking</Trans>}
    >
      <ChangesShown postSetId={id} changed={data} zone={zone} />
      <Button variant="default" size="compact-sm" mt="xs" onClick={onSeen}>
        <Trans>I have seen it</Trans>
      </Button>
    </Alert>
  )
}

function Facts({ item }: { item: ApprovalItem }) {
  const { t } = useLingui()
  const preferences = usePreferences()
  const { id, socialSetId, scheduledAt, timezone, accountTypes, asked, author, mine, decision, status, approval } = item
  const networks = listOf([...new Set(accountTypes)].map((type) => networkName(type)))
  return (
    <>
      <div className={classes.chips}>
        <span className={classes.chip} data-tone={approval === 'APPROVED' ? 'accent' : 'warn'}>
          {APPROVAL_WORDS[approval]}
        </span>
        <span className={classes.chip}>
          {status === 'DRAFT' ? t`Draft, goes out only if scheduled` : status === 'SCHEDULED' ? t`Scheduled` : t`Sent`}
        </span>
        <RouterAnchor
          to="/scheduling/calendar/$view"
          params={{ view: 'month' }}
          search={{ set: socialSetId, post: id }}
          size="sm"
        >
          <Trans>Show on the calendar</Trans>
        </RouterAnchor>
      </div>
      <dl className={classes.facts}>
        <dt>
          <Trans>Planned</Trans>
        </dt>
        <dd>
          {formatDateTime(scheduledAt, timezone, preferences)} <span>{zoneChip(timezone, scheduledAt)}</span>
        </dd>
        <dt>
          <Trans>Networks</Trans>
        </dt>
        <dd>{networks}</dd>
        <dt>
          <Trans>Written by</Trans>
        </dt>
        <dd dir="auto">{whoWords({ by: author, byYou: mine })}</dd>
        {asked && (
          <>
            <dt>
              <Trans>Asked by</Trans>
            </dt>
            <dd>
              <span dir="auto">{whoWords(asked)}</span>, <RelativeTime instant={asked.at} />
            </dd>
          </>
        )}
        {decision && (
          <>
            <dt>
              <Trans>Last decision</Trans>
            </dt>
            <dd>
              {decisionWords(decision)}, <RelativeTime instant={decision.at} />
              {(decision.reason ?? decision.message) !== null && (
                <q className={classes.quote} dir="auto">
                  {decision.reason ?? decision.message}
                </q>
              )}
            </dd>
          </>
        )}
      </dl>
    </>
  )
}
