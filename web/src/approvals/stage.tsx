import { Trans, useLingui } from '@lingui/react/macro'
import { Anchor, Badge, Group } from '@mantine/core'
import { useState } from 'react'
import type { PostSet, SocialSet } from '#contract'
import { formOfPost, kindOfPost } from '#contract/post-kinds'
import { mediaAddress } from '../api/media-address.ts'
import { NetworkIcon, networkName } from '../design/network-icon.tsx'
import rows from '../design/rows.module.css'
import { fieldValue } from '../planning/field-words.ts'
import { captionOf, draftOf, mediaOf } from '../post-set/draft.ts'
import { PostFields } from '../post-set/post-view.tsx'
import { PreviewFrame } from '../post-set/preview-frame.tsx'
import { Thumbnail } from '../post-set/thumbnail.tsx'
import classes from './approvals.module.css'

/** How each network will show the post, one at a time: its whole text, and all of its files. */
export function Stage({ postSet, socialSet }: { postSet: PostSet; socialSet: SocialSet }) {
  const { t } = useLingui()
  const [chosen, setChosen] = useState(0)
  const { posts } = postSet
  const place = chosen < posts.length ? chosen : 0
  const draft = draftOf(postSet)
  const [post, written] = [posts[place], draft.posts[place]]
  if (!post || !written) return null
  const account = socialSet.accounts.find(({ type }) => type === post.accountType)
  const videos = post.media.filter(({ type, url }) => type === 'VIDEO' && url)
  return (
    <div className={classes.stage}>
      <div className={classes.stageHead}>
        {/* biome-ignore lint/a11y/useSemanticElements: a fieldset has no place in a row of buttons */}
        <div className={rows.segments} role="group" aria-label={t`Network of the preview`}>
          {posts.map(({ id, accountType }, index) => (
            <button
              key={id}
              type="button"
              className={classes.network}
              aria-pressed={index === place}
              onClick={() => setChosen(index)}
            >
              <NetworkIcon accountType={accountType} size={14} decorative /> {networkName(accountType)}
            </button>
          ))}
        </div>
        <Badge variant="default" tt="none" fw={500} title={t`Networks change how posts look.`}>
          <Trans>Approximate</Trans>
        </Badge>
      </div>
      <div className={classes.frame}>
        <PreviewFrame
          accountType={post.accountType}
          kind={kindOfPost(formOfPost(post))}
          name={account?.name ?? socialSet.name}
          handle={account?.username ?? null}
          title={typeof written.fields.title === 'string' ? written.fields.title : ''}
          caption={captionOf(draft, written)}
          media={mediaOf(draft, written)}
          whole
        />
        {post.media.length > 1 && (
          <Group gap="xs" mt="sm" aria-label={t`All files`} role="group">
            {post.media.map((item) => (
              <Thumbnail key={item.id} item={{ ...item, altText: item.altText ?? fieldValue(item.type) }} size={84} />
            ))}
          </Group>
        )}
        {videos.map(({ id, url }, index) => {
          const number = index + 1
          return (
            <Anchor key={id} href={mediaAddress(url) ?? undefined} target="_blank" rel="noopener" size="sm" mt="xs">
              <Trans>Watch video {number} (new tab)</Trans>
            </Anchor>
          )
        })}
        <PostFields post={post} />
      </div>
    </div>
  )
}
