import { Trans } from '@lingui/react/macro'
import { Avatar } from '@mantine/core'
import { IconHeart, IconSend } from '@tabler/icons-react'
import { CroppedImage, ratioOf } from '../planning/files/cropped-image.tsx'
import type { PreviewLook } from '../planning/files/preview-looks.ts'
import type { DraftMedia } from './draft-shape.ts'
import classes from './upright-frame.module.css'

interface UprightFrameProps {
  look: PreviewLook
  /** A story has its bars above, a field below, and no text. */
  story: boolean
  /** Of the account. */
  name: string
  handle: string | null
  /** As much of the text as lies over the picture. */
  text: string
  /** There is more of it. */
  more: boolean
  media: readonly DraftMedia[]
}

/** What fills a phone's screen, such as a story or a reel: the picture in 9:16, and over it what the network puts there. */
export function UprightFrame({ look, story, name, handle, text, more, media }: UprightFrameProps) {
  const [first] = media
  const who = (
    <span className={classes.who} dir="auto">
      <Avatar size={28} radius="xl" name={name} aria-hidden />
      <b>{handle ? `@${handle.replace(/^@/, '')}` : name}</b>
    </span>
  )
  return (
    <div className={classes.screen} data-upright>
      {first && (
        // What is as tall as the screen fills it, as networks have it; what is wider lies in its middle.
        <CroppedImage item={first} alt={first.altText} shaped={ratioOf(first) > FILLS} className={classes.picture} />
      )}
      {story ? (
        <>
          <div className={classes.top}>
            <span className={classes.bars} aria-hidden>
              {(media.length === 0 ? [null] : media).map((item) => (
                <i key={item?.uid ?? ''} />
              ))}
            </span>
            {who}
          </div>
          <div className={classes.foot} aria-hidden>
            <span className={classes.field} />
            <IconHeart size={20} />
            <IconSend size={20} />
          </div>
        </>
      ) : (
        <>
          <div className={classes.side} aria-hidden>
            {look.signs.map((Sign, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the signs of a network never change
              <Sign key={index} size={22} />
            ))}
          </div>
          <div className={classes.words}>
            {who}
            {text !== '' && (
              <p dir="auto">
                {text}
                {more && (
                  <>
                    {' '}
                    <Trans>… more</Trans>
                  </>
                )}
              </p>
            )}
            {media.length > 1 && (
              <span className={classes.dots} aria-hidden>
                {media.slice(0, MOST_DOTS).map(({ uid }) => (
                  <i key={uid} />
                ))}
              </span>
            )}
          </div>
        </>
      )}
    </div>
  )
}

/** A little wider than 9:16: networks cut so much off rather than leaving bars. */
const FILLS = 0.6
const MOST_DOTS = 10
