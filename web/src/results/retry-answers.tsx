import { plural } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { ActionIcon } from '@mantine/core'
import { IconAlertTriangle, IconRefresh, IconX } from '@tabler/icons-react'
import type { RetryAnswer } from '../post-set-actions/use-retry.tsx'
import classes from './results.module.css'

/** What a retry of several posts came to: one sentence for each. */
export function RetryAnswers({ answers, onClose }: { answers: readonly RetryAnswer[]; onClose: () => void }) {
  const { t } = useLingui()
  const retried = answers.filter((answer) => answer.retried).length
  return (
    <section className={classes.answers} aria-label={t`What the retry came to`}>
      <div className={classes.answersHead}>
        <strong>
          {plural(retried, { one: '# post is being published again.', other: '# posts are being published again.' })}
        </strong>
        <ActionIcon variant="subtle" color="gray" size={28} aria-label={t`Close`} onClick={onClose}>
          <IconX size={16} aria-hidden />
        </ActionIcon>
      </div>
      <ul>
        {answers.map(({ id, name, retried: done, words }) => (
          <li key={id}>
            {done ? <IconRefresh size={14} aria-hidden /> : <IconAlertTriangle size={14} aria-hidden />}
            <span>
              <span dir="auto">“{name}”</span>: {words}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
