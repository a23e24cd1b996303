import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Button, Tabs, VisuallyHidden } from '@mantine/core'
import { IconListTree } from '@tabler/icons-react'
import { useRef } from 'react'
import type { AccountType, NetworkDescription, SocialSet } from '#contract'
import { lazyWithWords } from '../api/code.ts'
import { NetworkIcon, networkName } from '../design/network-icon.tsx'
import { Part } from '../design/part.tsx'
import { isAgreeing, isSpared } from '../planning/agreements/agreement.ts'
import type { AskedAccount } from '../planning/agreements/use-asked-accounts.ts'
import { problemWords } from '../planning/posts/problem-words.ts'
import { CaptionBox } from './caption-box.tsx'
import classes from './composer.module.css'
import { captionOf, changeMedia, changePost, mediaOf, optionsOf, typeOf } from './draft.ts'
import type { Draft, DraftPost } from './draft-shape.ts'
import { MediaStrip } from './media-strip.tsx'
import { NetworkForm } from './network-form.tsx'
import { atMost, joined, newPart, splitText, splitToFit, withText } from './thread.ts'
import { countsAt, fitsOf, type LiveCheck, ofPost } from './use-live-check.ts'

const PostingAs = lazyWithWords(() =>
  import('../planning/agreements/posting-as.tsx').then(({ PostingAs }) => ({ default: PostingAs })),
)
const AgreementForm = lazyWithWords(() =>
  import('../planning/agreements/agreement-form.tsx').then(({ AgreementForm }) => ({ default: AgreementForm })),
)
const ThreadParts = lazyWithWords(() =>
  import('./thread-parts.tsx').then(({ ThreadParts }) => ({ default: ThreadParts })),
)

interface WriteTabsProps {
  socialSet: SocialSet
  networks: readonly NetworkDescription[]
  draft: Draft
  check: LiveCheck
  /** What networks say of their accounts at this moment, where posts there have to be decided about. */
  accounts: ReadonlyMap<AccountType, AskedAccount>
  /** Problems are shown: something was written and left. */
  revealed: boolean
  /** The post whose tab is open; null of all. */
  shown: number | null
  onShow: (index: number | null) => void
  onChange: (draft: Draft) => void
  onLeft: () => void
  /** Files for all posts, for one that has its own, or for one of its further parts. */
  onFiles: (files: readonly File[], index: number | null, part?: string) => void
  /** What was shortened last. */
  cut: Cut | null
}

/** A text that was shortened by a click. */
export interface Cut {
  index: number
  /** The text that the network had for itself; null: that of all. */
  own: string | null
  whole: string
  /** What was left of it. */
  left: string
}

const ALL = 'all'

/** Two posts of one account type have a tab each. */
const tabOf = (accountType: string, index: number) => `${accountType} ${index}`

/** One tab for what all share, one for each network. */
export function WriteTabs(props: WriteTabsProps) {
  const { socialSet, draft, check, revealed, shown, onShow, onChange, onLeft, onFiles } = props
  const { t } = useLingui()
  return (
    <Tabs
      value={shown === null ? ALL : String(shown)}
      onChange={(value) => onShow(value === null || value === ALL ? null : Number(value))}
      keepMounted={false}
      classNames={{ list: classes.tabs, tab: classes.tab }}
    >
      <Tabs.List aria-label={t`Text for`}>
        <Tabs.Tab value={ALL}>
          <Trans>All</Trans>
        </Tabs.Tab>
        {draft.posts.map(({ accountType, caption, media }, index) => {
          const wrong = revealed ? ofPost(check.problems, index).length : 0
          return (
            <Tabs.Tab key={tabOf(accountType, index)} value={String(index)} title={networkName(accountType)}>
              <NetworkIcon accountType={accountType} size={16} decorative />
              <VisuallyHidden>
                {networkName(accountType)}
                {wrong > 0 && (
                  <>
                    {', '}
                    <Plural value={wrong} one="# problem" other="# problems" />
                  </>
                )}
                {(caption !== null || media !== null) && (
                  <>
                    {', '}
                    <Trans>with its own content</Trans>
                  </>
                )}
              </VisuallyHidden>
              {wrong > 0 && <span className={classes.dot} aria-hidden />}
              {wrong === 0 && (caption !== null || media !== null) && (
                <span className={classes.dot} data-own aria-hidden />
              )}
            </Tabs.Tab>
          )
        })}
      </Tabs.List>
      <Tabs.Panel value={ALL} pt="sm" className={classes.stack}>
        <CaptionBox
          socialSet={socialSet}
          label={t`Caption`}
          value={draft.caption}
          counts={draft.posts.flatMap((_, index) => countsAt(check.counts, `posts[${index}]`))}
          fits={fitsOf(
            draft.posts.flatMap((post, index) =>
              post.caption === null ? countsAt(check.counts, `posts[${index}]`) : [],
            ),
          )}
          counted={draft.posts.length > 0}
          error={null}
          autofocus
          onChange={(caption) => onChange({ ...draft, caption })}
          onBlur={onLeft}
        />
        <MediaStrip
          socialSet={socialSet}
          accountTypes={draft.posts.map(({ accountType }) => accountType)}
          media={draft.media}
          error={null}
          onChange={(media) => onChange({ ...draft, media })}
          onFiles={(files) => onFiles(files, null)}
        />
      </Tabs.Panel>
      {draft.posts.map((post, index) => (
        <Tabs.Panel key={tabOf(post.accountType, index)} value={String(index)} pt="sm">
          <OnePost {...props} post={post} index={index} />
        </Tabs.Panel>
      ))}
    </Tabs>
  )
}

function OnePost(props: WriteTabsProps & { post: DraftPost; index: number }) {
  const { socialSet, networks, draft, check, accounts, revealed, post, index, onChange, onLeft, onFiles, cut } = props
  const { t } = useLingui()
  const top = useRef<HTMLDivElement>(null)
  const { accountType } = post
  const network = networks.find((each) => each.accountType === accountType)
  const name = networkName(accountType)
  const change = (next: Partial<DraftPost>) => onChange(changePost(draft, index, next))
  const problems = revealed ? ofPost(check.problems, index) : []
  const errorAt = (field: string) => {
    const path = `posts[${index}].${field}`
    const found = problems.filter((entry) => entry.path === path || entry.path.startsWith(`${path}[`))
    return [...new Set(found.map(problemWords))].join(' ') || null
  }
  const media = mediaOf(draft, post)
  const counts = countsAt(check.counts, `posts[${index}]`)
  const caption = captionOf(draft, post)
  const type = network ? typeOf(network, post, media) : null
  // Of a story, whose text no one sees, nothing is counted.
  const isCounted = network?.forms.find((form) => form.type === type)?.caption !== null
  const thread = network?.thread ?? null
  const isThread = post.thread.length > 0
  const makeThread = () => {
    // What every network counts as no more than it is long.
    const limit = counts.find(({ fits }) => fits !== undefined)?.limit ?? Number.POSITIVE_INFINITY
    const [first, ...rest] = splitText(caption).flatMap((text) => splitToFit(text, limit))
    const parts = atMost(rest.length > 0 ? rest : [''], thread?.parts ?? 1).map((text) => newPart(text))
    change({ caption: first ?? '', thread: parts })
  }
  const account = accounts.get(accountType)
  return (
    <div className={classes.stack} ref={top}>
      {account && (
        <Part>
          <PostingAs accountType={accountType} asked={account} />
        </Part>
      )}
      <CaptionBox
        socialSet={socialSet}
        label={t`Caption on ${name}`}
        value={caption}
        counts={counts}
        fits={fitsOf(counts)}
        counted={isCounted}
        error={errorAt('caption')}
        onChange={(text) => {
          const { own, parts } = isThread ? withText(post.thread, null, text) : { own: text, parts: post.thread }
          change({ caption: own, thread: parts })
        }}
        onBlur={onLeft}
      >
        {post.caption !== null && !isThread && (
          <Button variant="subtle" size="compact-xs" onClick={() => change({ caption: null })}>
            <Trans>Reset to All</Trans>
          </Button>
        )}
      </CaptionBox>
      {cut?.index === index && caption === cut.left && (
        <Shortened name={name} cut={cut} onUndo={() => change({ caption: cut.own })} />
      )}
      <MediaStrip
        socialSet={socialSet}
        accountTypes={[post.accountType]}
        media={media}
        error={errorAt('media')}
        onChange={(next) => onChange(changeMedia(draft, index, next))}
        onFiles={(files) => onFiles(files, index)}
      />
      {post.media !== null && (
        <span>
          <Button variant="subtle" size="compact-xs" onClick={() => change({ media: null })}>
            <Trans>Use the files of all</Trans>
          </Button>
        </span>
      )}
      {thread && !isThread && (
        <span>
          <Button
            variant="subtle"
            size="compact-sm"
            leftSection={<IconListTree size={16} aria-hidden />}
            onClick={makeThread}
          >
            <Trans>Make it a thread</Trans>
          </Button>
        </span>
      )}
      {thread && isThread && (
        <Part>
          <ThreadParts
            socialSet={socialSet}
            accountType={accountType}
            most={thread.parts}
            caption={caption}
            captionCounts={counts}
            parts={post.thread}
            countsOf={(place) => countsAt(check.counts, `posts[${index}].thread[${place}]`)}
            errorAt={(place, field) => errorAt(`thread[${place}].${field}`)}
            onChange={(parts) => change({ thread: parts })}
            onTexts={(text, parts) => change({ caption: text, thread: parts })}
            onJoinFirst={() => {
              const [first, ...rest] = post.thread
              if (!first) return
              change({
                caption: joined(caption, first.caption),
                ...(first.media.length > 0 ? { media: [...media, ...first.media] } : {}),
                thread: rest,
              })
              requestAnimationFrame(() => top.current?.querySelector('textarea')?.focus())
            }}
            onLeft={onLeft}
            onFiles={(files, part) => onFiles(files, index, part)}
          />
        </Part>
      )}
      {isAgreeing(network) && !isSpared(network, optionsOf(post), account?.data) && (
        <Part>
          <AgreementForm
            network={network}
            asked={account}
            decided={{
              options: optionsOf(post),
              ...(post.discloses === undefined ? {} : { discloses: post.discloses }),
            }}
            media={media}
            posts={draft.repeat?.occurrences ?? 1}
            errorAt={(option) => errorAt(`options.${option}`)}
            onChange={({ options, ...more }) => change({ ...more, fields: { ...post.fields, options } })}
          />
        </Part>
      )}
      {network && (
        <NetworkForm
          socialSet={socialSet}
          network={network}
          post={post}
          media={media}
          type={type}
          errorAt={errorAt}
          onChange={change}
        />
      )}
    </div>
  )
}

/** What a click has cut off, and the way back. */
function Shortened({ name, cut: { whole, left }, onUndo }: { name: string; cut: Cut; onUndo: () => void }) {
  // The sign for the rest was not there before.
  const kept = whole.startsWith(left) ? left : left.slice(0, -1)
  return (
    <div className={classes.shortened} role="status">
      <span>
        <Trans>Shortened for {name}</Trans>
      </span>
      <Button variant="subtle" size="compact-xs" onClick={onUndo}>
        <Trans>Undo</Trans>
      </Button>
      <del dir="auto">{whole.slice(kept.length).trim()}</del>
    </div>
  )
}
