import { plural } from '@lingui/core/macro'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { ActionIcon, Button } from '@mantine/core'
import { IconCheck, IconRefresh, IconX } from '@tabler/icons-react'
import rows from '../design/rows.module.css'
import classes from './results.module.css'

interface SelectionBarProps {
  number: number
  /** How many of them are safe to retry. */
  safe: number
  busy: boolean
  /** They are being marked as done. */
  marking: boolean
  onDone: () => Promise<void>
  onRetry: () => Promise<void>
  onClear: () => void
}

/** What is done to all posts that are chosen. Those that are safe to retry are sent again, the others are left out of that. */
export function SelectionBar({ number, safe, busy, marking, onDone, onRetry, onClear }: SelectionBarProps) {
  const { t } = useLingui()
  return (
    <div className={rows.bar} role="toolbar" aria-label={t`Selected posts`}>
      <strong role="status">{plural(number, { one: '# selected', other: '# selected' })}</strong>
      {safe > 0 && (
        <>
          <span className={classes.safe}>
            {safe === number ? (
              t`safe to retry: nothing of it is live`
            ) : (
              <Plural value={safe} one="# is safe to retry" other="# are safe to retry" />
            )}
          </span>
          <Button leftSection={<IconRefresh size={16} aria-hidden />} loading={busy} onClick={() => void onRetry()}>
            {plural(safe, { one: 'Retry # post', other: 'Retry # posts' })}
          </Button>
        </>
      )}
      <Button
        variant="default"
        leftSection={<IconCheck size={16} aria-hidden />}
        loading={marking}
        onClick={() => void onDone()}
      >
        <Trans>Mark as done</Trans>
      </Button>
      <ActionIcon variant="subtle" color="gray" aria-label={t`Clear selection`} onClick={onClear}>
        <IconX size={16} aria-hidden />
      </ActionIcon>
    </div>
  )
}
