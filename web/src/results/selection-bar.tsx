import { plural } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { ActionIcon, Button } from '@mantine/core'
import { IconRefresh, IconX } from '@tabler/icons-react'
import rows from '../design/rows.module.css'
import classes from './results.module.css'

interface SelectionBarProps {
  number: number
  busy: boolean
  onRetry: () => Promise<void>
  onClear: () => void
}

/** What is done to all posts that are chosen. Only what is safe to retry can be. */
export function SelectionBar({ number, busy, onRetry, onClear }: SelectionBarProps) {
  const { t } = useLingui()
  return (
    <div className={rows.bar} role="toolbar" aria-label={t`Selected posts`}>
      <strong role="status">{plural(number, { one: '# selected', other: '# selected' })}</strong>
      <span className={classes.safe}>{t`safe to retry: nothing of it is live`}</span>
      <Button leftSection={<IconRefresh size={16} aria-hidden />} loading={busy} onClick={() => void onRetry()}>
        {plural(number, { one: 'Retry # post', other: 'Retry # posts' })}
      </Button>
      <ActionIcon variant="subtle" color="gray" aria-label={t`Clear selection`} onClick={onClear}>
        <IconX size={16} aria-hidden />
      </ActionIcon>
    </div>
  )
}
