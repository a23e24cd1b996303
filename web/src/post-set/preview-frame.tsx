import { Trans, useLingui } from '@lingui/react/macro'
import { Avatar } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import type { AccountType, PostKind } from '#contract'
import { plainLines } from '#contract/plain-lines'
import { lazyWithWords } from '../api/code.ts'
import { networkName } from '../design/network-icon.tsx'
import { Part } from '../design/part.tsx'
import { CroppedImage } from '../planning/files/cropped-image.tsx'
import { MarkedText, PreviewSigns } from '../planning/files/marked-text.tsx'
import { isUpright, PREVIEW_LOOKS, type PreviewLook } from '../planning/files/preview-looks.ts'
import type { DraftMedia } from './draft-shape.ts'
import classes from './preview.module.css'
import { UprightFrame } from './upright-frame.tsx'
import { useCover } from './use-cover.ts'

const DocumentPreview = lazyWithWords(() =>
  import('./document-preview.tsx').then(({ DocumentPreview }) => ({ default: DocumentPreview })),
)

interface PreviewFrameProps {
  accountType: AccountType
  kind: PostKind | null
  /** Of the account. */
  name: string
  handle: string | null
  /** Of the post; empty where it has none. */
  title: string
  caption: string
  media: readonly DraftMedia[]
  /** The second of the video that the post has chosen as its cover. */
  cover?: number | null
  /** That pages of a document have; empty: the name of its file. */
  documentTitle?: string
  /** Nothing of the text is cut off: it is read to be approved. */
  whole?: boolean
}

/** A post about as a network shows it. */
export function PreviewFrame({
  accountType,
  kind,
  name,
  handle,
  title,
  caption,
  media: files,
  cover = null,
  documentTitle = '',
  whole = false,
}: PreviewFrameProps) {
  const look = PREVIEW_LOOKS[accountType]
  const media = useCover(files, cover)
  const text = <Caption title={title} caption={plainLines(caption)} cut={whole ? Number.POSITIVE_INFINITY : look.cut} />
  if (isUpright(accountType, kind)) {
    const story = kind === 'STORY'
    const seen = cutTo(OVER_PICTURE, plainLines(title || caption))
    return (
      <article aria-label={networkName(accountType)}>
        <UprightFrame
          look={look}
          story={story}
          name={name}
          handle={handle}
          text={seen.text}
          more={seen.cut}
          media={media}
        />
        {whole && !story && text}
      </article>
    )
  }
  return (
    <article className={classes.frame} aria-label={networkName(accountType)}>
      <header className={classes.head}>
        <Avatar size={30} radius="xl" name={name} aria-hidden />
        <span className={classes.who} dir="auto">
          <b>{name}</b>
          {handle && <small>@{handle.replace(/^@/, '')}</small>}
        </span>
        <IconDots size={16} aria-hidden />
      </header>
      {look.captionFirst && text}
      {kind === 'DOCUMENT' ? (
        <Part>
          <DocumentPreview media={files} title={documentTitle} />
        </Part>
      ) : (
        <Media look={look} media={media} />
      )}
      <PreviewSigns look={look} className={classes.signs} />
      {!look.captionFirst && text}
    </article>
  )
}

function Caption({ title, caption, cut }: { title: string; caption: string; cut: number }) {
  const { text: shown, cut: long } = cutTo(cut, caption)
  if (title === '' && caption === '') return null
  return (
    <div className={classes.caption} dir="auto">
      {title !== '' && <b>{title}</b>}
      <p>
        <MarkedText text={shown} className={classes.marked} />
        {long && (
          <span className={classes.more}>
            {' '}
            <Trans>… more</Trans>
          </span>
        )}
      </p>
    </div>
  )
}

/** Two lines. */
const OVER_PICTURE = 70

/** The first characters of a text, and whether it has more. */
function cutTo(most: number, text: string): { text: string; cut: boolean } {
  const signs = [...text]
  const cut = signs.length > most
  return { text: cut ? signs.slice(0, most).join('').trimEnd() : text, cut }
}

/** So many pictures as tiles; the last says how many more there are. */
const TILES = 4

function Media({ look: { media: kind, ratio }, media }: { look: PreviewLook; media: readonly DraftMedia[] }) {
  const { t } = useLingui()
  const [first] = media
  if (!first) return null
  const count = media.length
  const draw = (item: DraftMedia) => (
    <div key={item.uid} className={classes.picture} style={ratio === null ? undefined : { aspectRatio: ratio }}>
      <CroppedImage item={item} alt={item.altText} shaped={ratio === null} className={classes.fill} />
    </div>
  )
  if (count === 1) return draw(first)
  if (kind === 'carousel') {
    return (
      <>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keys */}
        <section className={classes.leaves} tabIndex={0} aria-label={t`Pictures and videos, ${count} in all`}>
          {media.map(draw)}
        </section>
        <div className={classes.dots} aria-hidden>
          {media.slice(0, 10).map(({ uid }) => (
            <i key={uid} />
          ))}
        </div>
      </>
    )
  }
  const rest = media.length - TILES
  return (
    <div className={classes.tiles} data-count={Math.min(media.length, TILES)}>
      {media.slice(0, TILES).map((item, index) => (
        <span key={item.uid} className={classes.tile}>
          <CroppedImage item={item} alt={item.altText} className={classes.fill} />
          {index === TILES - 1 && rest > 0 && <span className={classes.rest}>+{rest}</span>}
        </span>
      ))}
    </div>
  )
}
