import { plural } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { ActionIcon, Alert, Button } from '@mantine/core'
import { IconCheck, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import type { ApprovalItem } from '#contract'
import { announce } from '../design/announce.tsx'
import { useConfirmAction } from '../design/confirm.tsx'
import rows from '../design/rows.module.css'
import { showUndo } from '../design/toast.tsx'
import { whyNotApproved } from '../planning/approvals/review-words.ts'
import { nameOf } from '../planning/posts/subject.ts'
import { revert, sendInTurn, versionOf } from '../post-set-actions/change.ts'
import { approveInBulk, readPostSetsAgain } from '../post-set-actions/requests.ts'
import classes from './approvals.module.css'

/** Why one of several was not approved. */
interface Refusal {
  id: string
  name: string
  words: string
}

interface ApproveBarProps {
  items: readonly ApprovalItem[]
  onApproved: (ids: readonly string[]) => void
  onClear: () => void
}

/** Approves all posts that are chosen, after one question, and says of each that was refused why. */
export function ApproveBar({ items, onApproved, onClear }: ApproveBarProps) {
  const { t } = useLingui()
  const confirm = useConfirmAction()
  const [refusals, setRefusals] = useState<readonly Refusal[]>([])
  const ready = items.filter(({ cannotApprove }) => cannotApprove === null)
  const nameOfId = (id: string) => nameOf(items.find((item) => item.id === id) ?? { excerpt: '' })
  const approve = async () => {
    setRefusals([])
    let left: Refusal[] = []
    const asked = await confirm({
      title: plural(ready.length, { one: 'Approve # post?', other: 'Approve # posts?' }),
      children: (
        <ul className={classes.names}>
          {ready.map((item) => (
            <li key={item.id} dir="auto">
              {nameOf(item)}
            </li>
          ))}
        </ul>
      ),
      confirmLabel: plural(ready.length, { one: 'Approve # post', other: 'Approve # posts' }),
      run: async () => {
        try {
          const { done, refused } = await sendInTurn({
            sets: ready,
            send: () => approveInBulk(ready.map(versionOf)),
            versionsOf: (answer) => answer.done,
          })
          left = refused.map(({ id, code, message }) => ({
            id,
            name: nameOfId(id),
            words:
              code === 'post-set:version_conflict'
                ? t`It has changed since you looked. Look at it again, then decide.`
                : message,
          }))
          if (done.length === 0) return
          const message = plural(done.length, { one: '# post approved.', other: '# posts approved.' })
          announce(message)
          showUndo({ message, undo: () => revert(done, { undo: true }) })
          onApproved(done.map(({ id }) => id))
        } finally {
          void readPostSetsAgain()
        }
      },
    })
    if (!asked) return
    setRefusals(left)
    if (left.length === 0) onClear()
  }
  const own = items.flatMap((item) => {
    const words = whyNotApproved(item)
    return words === null ? [] : [{ id: item.id, name: nameOf(item), words }]
  })
  const reported = refusals.length > 0 ? refusals : own
  return (
    <>
      {reported.length > 0 && (
        <Alert
          color="orange"
          role="alert"
          withCloseButton={refusals.length > 0}
          closeButtonLabel={t`Close this note`}
          onClose={() => setRefusals([])}
          mt="sm"
          p="sm"
          title={plural(reported.length, { one: '# post is not approved', other: '# posts are not approved' })}
        >
          <ul className={classes.names}>
            {reported.map(({ id, name, words }) => (
              <li key={id}>
                <Trans>
                  <span dir="auto">“{name}”</span>: {words}
                </Trans>
              </li>
            ))}
          </ul>
        </Alert>
      )}
      {items.length > 0 && (
        <div className={rows.bar} role="toolbar" aria-label={t`Selected posts`}>
          <strong role="status">{plural(items.length, { one: '# post selected', other: '# posts selected' })}</strong>
          <Button
            leftSection={<IconCheck size={16} aria-hidden />}
            disabled={ready.length === 0}
            onClick={() => void approve()}
          >
            <Trans>Approve selected</Trans>
          </Button>
          <ActionIcon variant="subtle" color="gray" aria-label={t`Clear selection`} onClick={onClear}>
            <IconX size={16} aria-hidden />
          </ActionIcon>
        </div>
      )}
    </>
  )
}
