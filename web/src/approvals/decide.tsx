import { Trans, useLingui } from '@lingui/react/macro'
import { Button, Group, Kbd, Menu, Text, Textarea } from '@mantine/core'
import { IconCheck, IconChevronDown, IconPencil } from '@tabler/icons-react'
import { useMemo, useRef, useState } from 'react'
import type { ApprovalItem, PostSet, SocialSet } from '#contract'
import * as LIMITS from '#contract/limits'
import { lazyWithWords } from '../api/code.ts'
import { usePreferences, useSession } from '../api/session.ts'
import { Part } from '../design/part.tsx'
import { DECIDES } from '../design/presses.ts'
import { showWhyNot } from '../design/toast.tsx'
import { type Shortcut, useShortcuts } from '../frame/shortcuts.ts'
import { approveAndScheduleWords, approveWords, barWords, whyNotApproved } from '../planning/approvals/review-words.ts'
import { isDraft, type PostSetSubject, whyNotChangeable } from '../planning/posts/subject.ts'
import { useWritten } from '../planning/posts/written.ts'
import { usePostSetActions } from '../post-set-actions/post-set-actions.tsx'
import classes from './approvals.module.css'

const PostSetEditor = lazyWithWords(() =>
  import('../post-set/post-set-editor.tsx').then(({ PostSetEditor }) => ({ default: PostSetEditor })),
)

interface DecideProps {
  item: ApprovalItem
  /** In the version that was seen. */
  subject: PostSetSubject
  postSet: PostSet
  socialSet: SocialSet
  /** The member has saved this version: it has been seen. */
  onSaved: (version: number) => void
  onDecided: (how: 'approved' | 'changes') => void
}

/** The decision about a post, by buttons or keys: what the role and the rule of the brand allow. */
export function Decide({ item, subject, postSet, socialSet, onSaved, onDecided }: DecideProps) {
  const { t } = useLingui()
  const { rights, user } = useSession()
  const { shortcuts: keys } = usePreferences()
  const actions = usePostSetActions()
  const [message, setMessage] = useWritten(user.id, 'decision', subject.id)
  const [wanting, setWanting] = useState<'reason' | 'changes' | null>(null)
  const [busy, setBusy] = useState<'approve' | 'changes' | null>(null)
  const [editing, setEditing] = useState(false)
  const field = useRef<HTMLTextAreaElement>(null)
  const { cannotApprove, cannotRequestChanges, needsReason, step, rule, approvals } = item
  const approves = cannotApprove === null
  const whyNot = whyNotApproved(item)
  const edits = whyNotChangeable(subject, rights) === null
  // After the last approval that the rule wants there is nothing to wait for.
  const isLast = step === 'CLIENT' || (rule !== 'TEAM_THEN_CLIENT' && approvals.given.length + 1 >= approvals.needed)
  const schedules = approves && isLast && isDraft(subject) && rights.includes('post-sets:publish') && edits

  const decide = async (which: 'approve' | 'changes', run: () => Promise<boolean>) => {
    if (busy !== null) return
    setBusy(which)
    const done = await run()
    setBusy(null)
    if (!done) return
    setMessage('')
    onDecided(which === 'approve' ? 'approved' : 'changes')
  }
  const approve = (andSchedule = schedules) => {
    if (needsReason) return approveWithReason()
    if (whyNot !== null) return showWhyNot(whyNot)
    const act = andSchedule ? actions.approveAndSchedule : actions.approve
    void decide('approve', () => act(subject, message.trim() || null))
  }
  const approveWithReason = () => {
    if (message.trim() !== '') {
      return void decide('approve', () => actions.approveWithReason(subject, message.trim()))
    }
    setWanting('reason')
    field.current?.focus()
  }
  /** A key leads to the words that are missing; the button names them as well. */
  const requestChanges = (byKey = false) => {
    if (cannotRequestChanges !== null) return showWhyNot(barWords(cannotRequestChanges))
    if (message.trim() !== '') return void decide('changes', () => actions.requestChanges(subject, message.trim()))
    if (!byKey) setWanting('changes')
    field.current?.focus()
  }
  useDecisionKeys({
    approve: () => approve(),
    requestChanges: () => requestChanges(true),
    edit: () => edits && setEditing(true),
  })
  const edit = (
    <Button
      variant="default"
      leftSection={<IconPencil size={16} aria-hidden />}
      rightSection={keys && <Kbd aria-hidden>E</Kbd>}
      disabled={busy !== null}
      title={approves ? t`Someone else then approves what you change` : undefined}
      onClick={() => setEditing(true)}
    >
      <Trans>Edit</Trans>
    </Button>
  )
  const editor = editing && (
    <Part>
      <PostSetEditor
        socialSet={socialSet}
        before={postSet}
        onClose={() => setEditing(false)}
        onSaved={(saved) => onSaved(saved.version)}
      />
    </Part>
  )
  if (!approves && !needsReason && cannotRequestChanges !== null) {
    return (
      <div className={classes.decide}>
        <Text size="sm" c="dimmed">
          {whyNot}
        </Text>
        {edits && <Group className={classes.buttons}>{edit}</Group>}
        {editor}
      </div>
    )
  }
  return (
    <div className={classes.decide} role="toolbar" aria-label={t`Decision`} data-decision>
      <Textarea
        ref={field}
        aria-label={needsReason ? t`Reason or words to the author` : t`Words to the author`}
        placeholder={
          needsReason
            ? t`Why you approve it without another reviewer, or what has to change`
            : t`Tell the author what to change`
        }
        autosize
        minRows={2}
        maxRows={8}
        maxLength={LIMITS.metadataCodePoints}
        dir="auto"
        value={message}
        error={
          wanting === null || message.trim() !== ''
            ? null
            : wanting === 'reason'
              ? t`Enter a reason.`
              : t`Describe what has to change.`
        }
        onChange={({ currentTarget: { value } }) => setMessage(value)}
      />
      {whyNot !== null && (
        <Text size="sm" c="dimmed">
          {whyNot}
        </Text>
      )}
      <Group gap="xs" className={classes.buttons}>
        {cannotRequestChanges === null && (
          <Button
            {...DECIDES}
            variant="default"
            loading={busy === 'changes'}
            disabled={busy !== null}
            rightSection={keys && <Kbd aria-hidden>R</Kbd>}
            onClick={() => requestChanges()}
          >
            <Trans>Request changes</Trans>
          </Button>
        )}
        {edits && !schedules && edit}
        <Group gap="xs" wrap="nowrap" className={classes.approve}>
          {approves && (
            <Button
              {...DECIDES}
              flex={1}
              loading={busy === 'approve'}
              disabled={busy !== null}
              rightSection={keys && <Kbd aria-hidden>A</Kbd>}
              onClick={() => approve()}
            >
              {schedules ? approveAndScheduleWords(subject) : approveWords(subject)}
            </Button>
          )}
          {needsReason && (
            <Button
              {...DECIDES}
              flex={1}
              loading={busy === 'approve'}
              disabled={busy !== null}
              onClick={approveWithReason}
            >
              <Trans>Approve with a reason</Trans>
            </Button>
          )}
          {schedules && (
            <Menu position="top-end" width={260} withinPortal>
              <Menu.Target>
                <Button px={8} disabled={busy !== null} aria-label={t`Other ways to approve`}>
                  <IconChevronDown size={16} aria-hidden />
                </Button>
              </Menu.Target>
              <Menu.Dropdown>
                <Menu.Item leftSection={<IconCheck size={16} aria-hidden />} onClick={() => approve(false)}>
                  {approveWords(subject)}
                  <Text size="xs" c="dimmed">
                    <Trans>It stays a draft</Trans>
                  </Text>
                </Menu.Item>
                <Menu.Item leftSection={<IconPencil size={16} aria-hidden />} onClick={() => setEditing(true)}>
                  <Trans>Edit</Trans>
                  <Text size="xs" c="dimmed">
                    <Trans>Someone else then approves what you change</Trans>
                  </Text>
                </Menu.Item>
              </Menu.Dropdown>
            </Menu>
          )}
        </Group>
      </Group>
      <Text size="xs" c="dimmed">
        {step === 'CLIENT' && approves ? (
          <Trans>It waits for the client. You can decide in the client’s place; the history says so.</Trans>
        ) : schedules ? (
          <Trans>Approving alone does not schedule. This does both, and the history shows both.</Trans>
        ) : isDraft(subject) ? (
          <Trans>Approving does not schedule: an approved draft stays a draft.</Trans>
        ) : (
          <Trans>Requesting changes takes the post from the schedule.</Trans>
        )}
      </Text>
      {editor}
    </div>
  )
}

interface DecisionKeys {
  approve: () => void
  requestChanges: () => void
  edit: () => void
}

function useDecisionKeys(decision: DecisionKeys): void {
  const { t } = useLingui()
  const latest = useRef(decision)
  latest.current = decision
  const shortcuts = useMemo<Shortcut[]>(() => {
    const group = t`Approvals`
    return [
      { keys: 'a', label: t`Approve`, group, run: () => latest.current.approve() },
      { keys: 'r', label: t`Request changes`, group, run: () => latest.current.requestChanges() },
      { keys: 'e', label: t`Edit`, group, run: () => latest.current.edit() },
    ]
  }, [t])
  useShortcuts(shortcuts)
}
