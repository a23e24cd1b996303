import { t } from '@lingui/core/macro'
import { UnstyledButton, VisuallyHidden } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react'
import classes from './notice.module.css'
import { NoticeCount } from './notice-line.tsx'

/**
 * The one place of notices, which is as high with them as without. The first of its `NoticeLine`s is shown; the others, and what
 * there is no room for, open over the page. `small`: on narrow screens, over the bar at
 * their end.
 */
export function NoticePlace({ small = false, children }: { small?: boolean; children: ReactNode }) {
  const [number, setNumber] = useState(0)
  const [opened, setOpened] = useState(false)
  const box = useRef<HTMLDivElement>(null)
  const count = useCallback((by: 1 | -1) => setNumber((before) => before + by), [])
  const shown = opened && number > 0
  useEffect(() => {
    if (!shown) return
    const onPointerDown = ({ target }: PointerEvent) => {
      if (target instanceof Node && !box.current?.contains(target)) setOpened(false)
    }
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented) return
      event.preventDefault()
      setOpened(false)
    }
    document.addEventListener('pointerdown', onPointerDown)
    document.addEventListener('keydown', onKeyDown)
    return () => {
      document.removeEventListener('pointerdown', onPointerDown)
      document.removeEventListener('keydown', onKeyDown)
    }
  }, [shown])
  const more = number - 1
  return (
    <div className={classes.place} data-small={small || undefined} data-opened={shown || undefined}>
      <div className={classes.box} ref={box}>
        <div className={classes.lines} role="status">
          <NoticeCount value={count}>{children}</NoticeCount>
        </div>
        {number > 0 && (
          <UnstyledButton
            className={classes.toggle}
            aria-expanded={shown}
            {...(more > 0 && !shown ? {} : { 'aria-label': t`Notices` })}
            onClick={() => setOpened(!shown)}
          >
            {more > 0 && !shown && (
              <span>
                {small ? `+${more}` : t`and ${more} more`}
                <VisuallyHidden> {t`notices`}</VisuallyHidden>
              </span>
            )}
            <IconChevronDown size={16} aria-hidden />
          </UnstyledButton>
        )}
      </div>
    </div>
  )
}
