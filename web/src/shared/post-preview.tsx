import { Trans, useLingui } from '@lingui/react/macro'
import { IconExternalLink } from '@tabler/icons-react'
import type { GuestMedia, GuestPost } from '#contract'
import { plainLines } from '#contract/plain-lines'
import { documentTitleIn, formOfPost, kindOfPost } from '#contract/post-kinds'
import { mediaAddress } from '../api/media-address.ts'
import { NetworkIcon, networkName } from '../design/network-icon.tsx'
import { CroppedImage, ratioOf } from '../planning/files/cropped-image.tsx'
import { DocumentPages } from '../planning/files/document-pages.tsx'
import { MarkedText, PreviewSigns } from '../planning/files/marked-text.tsx'
import { isUpright, PREVIEW_LOOKS, type PreviewLook } from '../planning/files/preview-looks.ts'
import { inboxWords } from '../planning/posts/inbox-words.ts'
import { kindsText } from '../planning/posts/kind-words.ts'
import classes from './post.module.css'
import { detailsOf } from './words.ts'

/** A post about as its network shows it, but whole: all of its text, its pictures, and its videos to play. */
export function PostPreview({ post, brandName }: { post: GuestPost; brandName: string }) {
  const { accountType, account, caption, media } = post
  const look = PREVIEW_LOOKS[accountType]
  const title = typeof post.title === 'string' ? post.title : ''
  const kind = kindOfPost(formOfPost(post))
  // What fills a phone's screen: a story has no text there.
  const upright = isUpright(accountType, kind)
  const text = <Caption title={title} caption={plainLines(caption)} />
  return (
    <article className={classes.frame} aria-label={networkName(accountType)} data-upright={upright || undefined}>
      <header className={classes.head}>
        <NetworkIcon accountType={accountType} decorative />
        <span className={classes.who}>
          <b dir="auto">{account?.name ?? brandName}</b>
          <small>
            {networkName(accountType)}
            {kind && ` · ${kindsText([kind])}`}
            {account?.username && (
              <>
                {' · '}
                <bdi>@{account.username.replace(/^@/, '')}</bdi>
              </>
            )}
          </small>
        </span>
      </header>
      {look.captionFirst && !upright && text}
      {kind === 'DOCUMENT' ? (
        <Document post={post} />
      ) : (
        <Media
          look={upright ? { ...look, media: 'carousel', ratio: SCREEN } : look}
          media={media}
          of={networkName(accountType)}
        />
      )}
      {!upright && <PreviewSigns look={look} className={classes.signs} />}
      {(upright ? kind !== 'STORY' : !look.captionFirst) && text}
      <Parts post={post} look={look} />
      <Details post={post} />
    </article>
  )
}

/** Of a phone, width by height. */
const SCREEN = 9 / 16
/** A little wider: networks cut so much off rather than leaving bars. */
const FILLS = 0.6

/** The further parts of a post, which are decided on with it. */
function Parts({ post, look }: { post: GuestPost; look: PreviewLook }) {
  const { t } = useLingui()
  const parts = (post.thread ?? []) as readonly Pick<GuestPost, 'id' | 'caption' | 'media'>[]
  return parts.map(({ id, caption, media }, nth) => {
    const number = nth + 2
    const words = t`Part ${number}`
    // Other posts of the set have such a part, too.
    const name = `${words}, ${networkName(post.accountType)}`
    return (
      <section key={id} className={classes.further} aria-label={name}>
        <small>{words}</small>
        <Caption title="" caption={plainLines(caption)} />
        <Media look={look} media={media} of={name} />
      </section>
    )
  })
}

function Caption({ title, caption }: { title: string; caption: string }) {
  if (title === '' && caption === '') return null
  return (
    <div className={classes.caption} dir="auto">
      {title !== '' && <b>{title}</b>}
      <p>
        <MarkedText text={caption} className={classes.marked} />
      </p>
    </div>
  )
}

/** A PDF, or the pictures that become one, to leaf through. */
function Document({ post: { media, options } }: { post: GuestPost }) {
  const { t } = useLingui()
  const [first] = media
  if (!first) return null
  const title = documentTitleIn(options)
  // The address of the first page ends in its number, and so do the others.
  const pageOf = (number: number) => first.url.replace(/page-1$/, `page-${number}`)
  const pages =
    first.type === 'DOCUMENT'
      ? Array.from({ length: first.pages ?? 1 }, (_, index) => pageOf(index + 1))
      : media.map(({ url }) => url)
  return (
    <>
      {title !== '' && (
        <div className={classes.caption} dir="auto">
          <b>{title}</b>
        </div>
      )}
      <DocumentPages pages={pages} name={title || t`Document`} ratio={first.width / Math.max(1, first.height)} />
      {first.fileUrl && (
        <div className={classes.details}>
          <a href={mediaAddress(first.fileUrl) ?? undefined} download>
            <Trans>Save the document (PDF)</Trans>
          </a>
        </div>
      )}
    </>
  )
}

/** `of`: what they belong to, so that no two on the page have one name. */
function Media({ look, media, of }: { look: PreviewLook; media: readonly GuestMedia[]; of: string }) {
  const { t } = useLingui()
  const [first] = media
  if (!first) return null
  const count = media.length
  if (count === 1) return <Item item={first} ratio={look.ratio} number={1} />
  if (look.media === 'tiles') {
    return (
      <div className={classes.tiles} data-odd={count % 2 === 1 || undefined}>
        {media.map((item, index) => (
          <Item key={item.id} item={item} ratio={3 / 2} number={index + 1} />
        ))}
      </div>
    )
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keys
    <section className={classes.strip} tabIndex={0} aria-label={`${t`Pictures and videos, ${count} in all`}: ${of}`}>
      {media.map((item, index) => (
        <Item key={item.id} item={item} ratio={look.ratio} number={index + 1} />
      ))}
    </section>
  )
}

function Item({ item, ratio, number }: { item: GuestMedia; ratio: number | null; number: number }) {
  const { t } = useLingui()
  const name = item.altText || (item.type === 'VIDEO' ? t`Video ${number}` : t`Picture ${number}`)
  if (item.type === 'VIDEO') {
    const poster = item.thumbnailUrl && mediaAddress(item.thumbnailUrl)
    return (
      <video
        className={classes.video}
        controls
        playsInline
        preload="none"
        aria-label={name}
        src={mediaAddress(item.url) ?? undefined}
        {...(poster ? { poster } : {})}
        {...(item.width > 0 && item.height > 0 ? { width: item.width, height: item.height } : {})}
      />
    )
  }
  // On a whole screen what is wider than it lies in its middle.
  const shaped = ratio === null || (ratio === SCREEN && ratioOf(item) > FILLS)
  return (
    <div className={classes.picture} style={ratio === null ? undefined : { aspectRatio: ratio }}>
      <CroppedImage item={item} alt={name} shaped={shaped} className={shaped ? classes.shaped : classes.fill} />
    </div>
  )
}

function Details({ post }: { post: GuestPost }) {
  const details = detailsOf(post)
  const permalink = linkOf(post.result?.permalink)
  const failed = post.result?.status === 'FAILED'
  const status = post.result?.status
  const inbox = status === 'INBOX' || status === 'INBOX_ENDED'
  if (details.length === 0 && permalink === null && !failed && !inbox) return null
  return (
    <div className={classes.details}>
      {details.length > 0 && (
        <dl>
          {details.map(({ name, value }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd dir="auto">{value}</dd>
            </div>
          ))}
        </dl>
      )}
      {failed && (
        <p>
          <Trans>This one was not published.</Trans>
        </p>
      )}
      {inbox && <p>{inboxWords({ accountType: post.accountType, who: null }, status === 'INBOX_ENDED')}.</p>}
      {permalink && (
        <a href={permalink} target="_blank" rel="noopener noreferrer">
          <Trans>See it on {networkName(post.accountType)}</Trans> <IconExternalLink size={14} aria-hidden />
        </a>
      )}
    </div>
  )
}

/** The address of a published post; null of what is no web page. */
function linkOf(address: string | null | undefined): string | null {
  const url = address ? URL.parse(address) : null
  return url && (url.protocol === 'https:' || url.protocol === 'http:') ? url.href : null
}
