import { Trans } from '@lingui/react/macro'
import { IconEye, IconLock } from '@tabler/icons-react'
import type { CommentAudience } from '#contract'
import classes from './comments.module.css'

/** Who reads a comment, by sign and words. */
export function Audience({ audience }: { audience: CommentAudience }) {
  return audience === 'SHARED' ? (
    <span className={classes.audience} data-shared>
      <IconEye size={14} aria-hidden /> <Trans>Visible to the client</Trans>
    </span>
  ) : (
    <span className={classes.audience}>
      <IconLock size={14} aria-hidden /> <Trans>Team only</Trans>
    </span>
  )
}
