import { ActionIcon } from '@mantine/core'
import { IconX, type TablerIcon } from '@tabler/icons-react'
import { createContext, type ReactNode, use, useEffect } from 'react'
import classes from './notice.module.css'

/** Counts the notices of a place as they come and go. */
export const NoticeCount = createContext<(by: 1 | -1) => void>(() => {})

interface NoticeLineProps {
  tone: 'danger' | 'warn' | 'accent' | 'quiet'
  /** What it is about, in two or three words. Where there is no room it is all that is seen. */
  label: string
  Icon: TablerIcon
  children: ReactNode
  /** The one thing to do about it. */
  action?: ReactNode
  /** It can be put away. */
  hide?: { label: string; run: () => void } | undefined
}

/** One thing to know, in the place of notices. */
export function NoticeLine({ tone, label, Icon, children, action, hide }: NoticeLineProps) {
  const count = use(NoticeCount)
  useEffect(() => {
    count(1)
    return () => count(-1)
  }, [count])
  return (
    <section className={classes.line} data-tone={tone} aria-label={label}>
      <Icon size={16} aria-hidden />
      <span className={classes.label} aria-hidden>
        {label}
      </span>
      <p>{children}</p>
      {action}
      {hide && (
        <ActionIcon
          variant="subtle"
          color="gray"
          size={28}
          aria-label={hide.label}
          title={hide.label}
          onClick={hide.run}
        >
          <IconX size={16} aria-hidden />
        </ActionIcon>
      )}
    </section>
  )
}
