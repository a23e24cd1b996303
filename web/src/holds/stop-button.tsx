import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { ActionIcon, Button, type ButtonProps } from '@mantine/core'
import { IconPlayerPause } from '@tabler/icons-react'
import { useMay } from '../api/session.ts'
import type { StopTarget } from './hold-words.ts'
import { useStop } from './use-hold-dialogs.tsx'

interface StopButtonProps extends Pick<ButtonProps, 'size'> {
  target: StopTarget
  /** In full, for screen readers: "Stop publishing for Demo". */
  label?: string
  /** The sign alone, where there is no room. */
  small?: boolean
}

/** Stops publishing, after asking what and why. Nothing for members who may not publish. */
export function StopButton({ target, label = t`Stop publishing`, small = false, size = 'sm' }: StopButtonProps) {
  const may = useMay('post-sets:publish')
  const { stop, dialog } = useStop()
  if (!may) return null
  return (
    <>
      {small ? (
        <ActionIcon aria-label={label} title={label} onClick={() => stop(target)}>
          <IconPlayerPause size={18} aria-hidden />
        </ActionIcon>
      ) : (
        <Button
          variant="default"
          size={size}
          leftSection={<IconPlayerPause size={16} aria-hidden />}
          aria-label={label}
          onClick={() => stop(target)}
        >
          <Trans>Stop publishing</Trans>
        </Button>
      )}
      {dialog}
    </>
  )
}
