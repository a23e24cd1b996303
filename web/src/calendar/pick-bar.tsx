import { Button, Text } from '@mantine/core'
import { useEffect } from 'react'
import { nameOf, type PostSetSubject } from '../post-set-actions/subject.ts'
import classes from './calendar.module.css'

/** Says that a click on a day moves a post set there. */
export function PickBar({ subject, onCancel }: { subject: PostSetSubject; onCancel: () => void }) {
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
    <div className={classes.bar}>
      <Text size="sm">Moving “{nameOf(subject)}” — choose a day, Esc cancels</Text>
      <Button size="xs" variant="default" ml="auto" onClick={onCancel}>
        Cancel
      </Button>
    </div>
  )
}
