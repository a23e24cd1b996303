import { IconPlayerPlayFilled } from '@tabler/icons-react'
import { lengthText } from './length-text.ts'
import classes from './video-sign.module.css'

interface VideoSignProps {
  /** Pixels of the sign. */
  size: number
  /** Null where it is not known, or has no room. */
  durationMs?: number | null
}

/** The play sign of a video and its length, over its picture or in the place of one. What is around it is positioned. */
export function VideoSign({ size, durationMs = null }: VideoSignProps) {
  return (
    <span className={classes.sign} aria-hidden>
      <IconPlayerPlayFilled size={size} />
      {durationMs !== null && <span className={classes.length}>{lengthText(durationMs)}</span>}
    </span>
  )
}
