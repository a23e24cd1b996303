import { Trans } from '@lingui/react/macro'
import type { AccountType } from '#contract'
import { fieldName } from '../planning/posts/field-words.ts'
import type { DraftMedia } from './draft-shape.ts'
import { PreviewFrame } from './preview-frame.tsx'
import classes from './stage.module.css'

interface ThreadFramesProps {
  accountType: AccountType
  name: string
  handle: string | null
  parts: readonly { key: string; caption: string; media: readonly DraftMedia[] }[]
  /** What is written below all of it as its first comment. */
  comment?: string
  /** Whole texts and files, as in the panel. */
  whole?: boolean
}

/** The further parts of a post as the network shows them, each below the one before. */
export function ThreadFrames({ accountType, name, handle, parts, comment = '', whole = false }: ThreadFramesProps) {
  const replies = [...parts, ...(comment === '' ? [] : [{ key: 'comment', caption: comment, media: [] }])]
  return replies.map(({ key, caption, media }, nth) => {
    const number = nth + 2
    return (
      <div key={key} className={classes.reply}>
        <span className={classes.part}>
          {nth < parts.length ? <Trans>Part {number}</Trans> : fieldName('firstComment')}
        </span>
        <PreviewFrame {...{ accountType, name, handle, caption, media, whole }} kind={null} title="" />
      </div>
    )
  })
}
