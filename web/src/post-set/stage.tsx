import { Trans, useLingui } from '@lingui/react/macro'
import { Anchor, Badge, Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { PostSet, SocialSet } from '#contract'
import { documentTitleIn, formOfPost, kindOfPost } from '#contract/post-kinds'
import { mediaAddress } from '../api/media-address.ts'
import { NetworkIcon, networkName } from '../design/network-icon.tsx'
import rows from '../design/rows.module.css'
import { listOf } from '../design/words.ts'
import { networksQuery } from '../planning/brands/networks-query.ts'
import { fitOf, fitted, shapeOf } from '../planning/files/fitted.ts'
import { fieldValue } from '../planning/posts/field-words.ts'
import { captionOf, draftOf, mediaOf } from './draft.ts'
import type { DraftPost } from './draft-shape.ts'
import { PostFields } from './post-fields.tsx'
import { PreviewFrame } from './preview-frame.tsx'
import classes from './stage.module.css'
import { ThreadFrames } from './thread-frames.tsx'
import { Thumbnail } from './thumbnail.tsx'
import { coverOf } from './use-cover.ts'

/** Networks from which on only the one that is shown has its name beside its sign, where there is little room. */
const MANY = 4

const isOwn = ({ caption, media }: DraftPost) => caption !== null || media !== null

/** How each network will show the post, one at a time: its whole text, and all of its files. Says on which these are the same. */
export function Stage({ postSet, socialSet }: { postSet: PostSet; socialSet: SocialSet }) {
  const { t } = useLingui()
  const [chosen, setChosen] = useState(0)
  const { data: networks } = useQuery(networksQuery)
  const { posts } = postSet
  const place = chosen < posts.length ? chosen : 0
  const draft = draftOf(postSet)
  const [post, written] = [posts[place], draft.posts[place]]
  if (!post || !written) return null
  const account = socialSet.accounts.find(({ type }) => type === post.accountType)
  const network = networkName(post.accountType)
  const known = networks?.find((each) => each.accountType === post.accountType)
  const shape = shapeOf(known, post.type)
  const equal = draft.posts.filter((each) => !isOwn(each)).map(({ accountType }) => networkName(accountType))
  const names = listOf(equal)
  const videos = post.media.filter(({ type, url }) => type === 'VIDEO' && url)
  return (
    <div className={classes.stage}>
      <div className={classes.stageHead} data-many={posts.length >= MANY || undefined}>
        {/* biome-ignore lint/a11y/useSemanticElements: a fieldset has no place in a row of buttons */}
        <div className={rows.segments} role="group" aria-label={t`Network of the preview`}>
          {posts.map(({ id, accountType }, index) => (
            <button
              key={id}
              type="button"
              className={classes.network}
              aria-pressed={index === place}
              data-own={(draft.posts[index] && isOwn(draft.posts[index])) || undefined}
              title={networkName(accountType)}
              onClick={() => setChosen(index)}
            >
              <NetworkIcon accountType={accountType} size={14} decorative />
              <span>{networkName(accountType)}</span>
            </button>
          ))}
        </div>
        <Badge variant="default" tt="none" fw={500} title={t`Networks change how posts look.`}>
          <Trans>Approximate</Trans>
        </Badge>
      </div>
      {posts.length > 1 && (isOwn(written) || equal.length > 1) && (
        <p className={classes.equal}>
          {isOwn(written) ? t`${network} has its own text or files.` : t`The same text and files on ${names}.`}
        </p>
      )}
      <div className={classes.frame}>
        <PreviewFrame
          accountType={post.accountType}
          kind={kindOfPost(formOfPost(post))}
          name={account?.name ?? socialSet.name}
          handle={account?.username ?? null}
          title={typeof written.fields.title === 'string' ? written.fields.title : ''}
          caption={captionOf(draft, written)}
          media={fitted(mediaOf(draft, written), shape, fitOf(written.fields, socialSet))}
          cover={coverOf(written, known)}
          documentTitle={documentTitleIn(post.options)}
          whole
        />
        <ThreadFrames
          accountType={post.accountType}
          name={account?.name ?? socialSet.name}
          handle={account?.username ?? null}
          parts={written.thread.map((part) => ({
            ...part,
            key: part.uid,
            media: fitted(part.media, shape, fitOf(written.fields, socialSet)),
          }))}
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
        <PostFields socialSet={socialSet} post={post} />
      </div>
    </div>
  )
}
