import { Trans } from '@lingui/react/macro'
import { Button, Text } from '@mantine/core'
import { useEffect } from 'react'
import rows from '../design/rows.module.css'
import { nameOf, type PostSetSubject } from '../planning/posts/subject.ts'

/** Says that a click on a day moves a post there. */
export function PickBar({ subject, onCancel }: { subject: PostSetSubject; onCancel: () => void }) {
  const name = nameOf(subject)
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented) return
      event.preventDefault()
      onCancel()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [onCancel])
  return (
    <div className={rows.bar}>
      <Text size="sm">
        <Trans>Moving “{name}” — choose a day, Esc cancels</Trans>
      </Text>
      <Button size="xs" variant="default" ms="auto" onClick={onCancel}>
        <Trans>Cancel</Trans>
      </Button>
    </div>
  )
}
