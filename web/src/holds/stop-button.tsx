import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, type ButtonProps } from '@mantine/core'
import { IconPlayerPause } from '@tabler/icons-react'
import { useMay } from '../api/session.ts'
import type { StopTarget } from './hold-words.ts'
import { useStop } from './use-hold-dialogs.tsx'

interface StopButtonProps extends Pick<ButtonProps, 'size'> {
  target: StopTarget
  /** In full, for screen readers: "Stop publishing for Demo". */
  label?: string
}

/** Stops publishing, after asking what and why. Nothing for members who may not publish. */
export function StopButton({ target, label = t`Stop publishing`, size = 'sm' }: StopButtonProps) {
  const may = useMay('post-sets:publish')
  const { stop, dialog } = useStop()
  if (!may) return null
  return (
    <>
      <Button
        variant="default"
        size={size}
        leftSection={<IconPlayerPause size={16} aria-hidden />}
        aria-label={label}
        onClick={() => stop(target)}
      >
        <Trans>Stop publishing</Trans>
      </Button>
      {dialog}
    </>
  )
}
