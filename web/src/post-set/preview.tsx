import { Trans, useLingui } from '@lingui/react/macro'
import { Badge, NativeSelect, SegmentedControl, VisuallyHidden } from '@mantine/core'
import { IconDeviceDesktop, IconDeviceMobile, type TablerIcon } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { AccountType, SocialSet } from '#contract'
import { documentTitleIn, formOfPost, kindOfPost } from '#contract/post-kinds'
import { networkName } from '../design/network-icon.tsx'
import { networksQuery } from '../planning/brands/networks-query.ts'
import { fitOf, fitted, shapeOf } from '../planning/files/fitted.ts'
import { commentIn } from '../planning/posts/field-words.ts'
import { useUploads } from '../uploads/upload-list.ts'
import classes from './composer.module.css'
import { captionOf, mediaOf, typeOf } from './draft.ts'
import type { Draft, DraftMedia, DraftPost } from './draft-shape.ts'
import { lastNetworks, rememberNetworks } from './last-networks.ts'
import { PreviewFrame } from './preview-frame.tsx'
import { ThreadFrames } from './thread-frames.tsx'
import { coverOf } from './use-cover.ts'
import { useRefused } from './use-refused.ts'

interface PreviewProps {
  socialSet: SocialSet
  draft: Draft
  /** The post whose tab is open; null in that of all. */
  shown: number | null
}

/** How the post will look, about: the two networks that were looked at last side by side, or the one that is written. */
export function Preview({ socialSet, draft, shown }: PreviewProps) {
  const { t } = useLingui()
  const [chosen, setChosen] = useState<readonly AccountType[]>(() => lastNetworks('previews', socialSet.id))
  const { posts } = draft
  const types = posts.map(({ accountType }) => accountType)
  const [device, setDevice] = useState<'phone' | 'desktop'>('phone')
  const places = shown === null ? pick(types, chosen) : [shown]
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keys
    <aside className={classes.preview} data-preview aria-label={t`Preview`} tabIndex={0}>
      <div className={classes.previewHead}>
        <h3>
          <Trans>Preview</Trans>
        </h3>
        <Badge variant="default" tt="none" fw={500} title={t`Networks change how posts look.`}>
          <Trans>Approximate</Trans>
        </Badge>
        <span className={classes.spacer} />
        <SegmentedControl
          size="xs"
          className={classes.device}
          aria-label={t`Width of the preview`}
          data={[
            { value: 'phone', label: <DeviceSign Icon={IconDeviceMobile} name={t`Phone`} /> },
            { value: 'desktop', label: <DeviceSign Icon={IconDeviceDesktop} name={t`Desktop`} /> },
          ]}
          value={device}
          onChange={(value) => setDevice(value === 'desktop' ? 'desktop' : 'phone')}
        />
      </div>
      {posts.length === 0 && (
        <p className={classes.previewEmpty}>
          <Trans>Choose an account to see how the post will look there.</Trans>
        </p>
      )}
      <div className={classes.frames} data-device={device}>
        {places.map((place, column) => {
          const post = posts[place]
          if (!post) return null
          const number = column + 1
          return (
            // Two posts of one network are distinguished by their place.
            <div key={`${post.accountType} ${place}`}>
              {shown === null && posts.length > 1 && (
                <NativeSelect
                  size="xs"
                  variant="unstyled"
                  aria-label={t`Network of preview ${number}`}
                  value={String(place)}
                  data={posts.map(({ accountType }, index) => ({
                    value: String(index),
                    label: networkName(accountType),
                  }))}
                  onChange={(event) => {
                    const shownNow = places.map((each, index) =>
                      index === column ? Number(event.currentTarget.value) : each,
                    )
                    const next = shownNow.flatMap((each) => types[each] ?? [])
                    setChosen(next)
                    rememberNetworks('previews', socialSet.id, next)
                  }}
                />
              )}
              <Frame socialSet={socialSet} draft={draft} post={post} />
            </div>
          )
        })}
      </div>
    </aside>
  )
}

function DeviceSign({ Icon, name }: { Icon: TablerIcon; name: string }) {
  return (
    <>
      <Icon size={16} aria-hidden style={{ display: 'block' }} />
      <VisuallyHidden>{name}</VisuallyHidden>
    </>
  )
}

function Frame({ socialSet, draft, post }: { socialSet: SocialSet; draft: Draft; post: DraftPost }) {
  const account = socialSet.accounts.find(({ type }) => type === post.accountType)
  const isRefused = useRefused()
  const uploads = useUploads()
  // A file that is on its way has the picture that its place in the strip has.
  const shownOf = (items: readonly DraftMedia[]) =>
    items
      .filter((item) => !isRefused(item))
      .map((item) => {
        const preview = uploads.find(({ key }) => key === item.upload)?.preview ?? null
        return preview === null ? item : { ...item, thumbnailUrl: preview }
      })
  const files = shownOf(mediaOf(draft, post))
  const network = useQuery(networksQuery).data?.find((each) => each.accountType === post.accountType)
  const shape = shapeOf(network, network && typeOf(network, post, files))
  const media = fitted(files, shape, fitOf(post.fields, socialSet))
  const form = formOfPost({ ...post, type: post.fields.type, options: post.fields.options, media })
  const { accountType } = post
  const [name, handle] = [account?.name ?? socialSet.name, account?.username ?? null]
  return (
    <>
      <PreviewFrame
        accountType={accountType}
        kind={kindOfPost(form)}
        name={name}
        handle={handle}
        title={typeof post.fields.title === 'string' ? post.fields.title : ''}
        caption={captionOf(draft, post)}
        media={media}
        cover={coverOf(post, network)}
        documentTitle={documentTitleIn(post.fields.options)}
      />
      <ThreadFrames
        {...{ accountType, name, handle }}
        parts={post.thread.map((part) => ({
          key: part.uid,
          caption: part.caption,
          media: fitted(shownOf(part.media), shape, fitOf(post.fields, socialSet)),
        }))}
        comment={commentIn(post.fields)}
      />
    </>
  )
}

/** The places of what was chosen to be shown, filled up with the first ones. */
function pick(types: readonly string[], chosen: readonly string[]): number[] {
  const wanted = chosen.map((type) => types.indexOf(type)).filter((place) => place !== -1)
  const rest = types.map((_, place) => place).filter((place) => !wanted.includes(place))
  return [...wanted, ...rest].slice(0, 2)
}
