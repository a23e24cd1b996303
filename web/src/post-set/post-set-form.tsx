import { Alert, Box, Button, Group, Indicator, NativeSelect, Stack, Tabs, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useId, useLayoutEffect, useState } from 'react'
import type { Approval, NetworkDescription, PostSet, SocialSet } from '#contract'
import { useMay } from '../api/session.ts'
import { announce } from '../design/announce.tsx'
import { Failure } from '../design/confirm-action.tsx'
import { NetworkIcon, networkName } from '../design/network-icon.tsx'
import { ErrorState, LoadingRows } from '../design/states.tsx'
import { openDialogs } from '../shell/shortcuts.ts'
import { AccountChips } from './account-chips.tsx'
import { APPROVAL_WORDS } from './approval-words.ts'
import { CaptionField } from './caption-field.tsx'
import { captionOf, changePost, type Draft, type DraftPost, differences, mediaOf, postsOf, typeOf } from './draft.ts'
import { useKeptDraft } from './kept-draft.ts'
import { MediaFields } from './media-fields.tsx'
import { NetworkFields } from './network-fields.tsx'
import { networksQuery, type PostSetBody } from './post-set-queries.ts'
import { ProblemList } from './problem-list.tsx'
import { isCount, RepeatFields } from './repeat-fields.tsx'
import { ScheduleFields } from './schedule-fields.tsx'
import { SeriesDates } from './series-dates.tsx'
import { useFormKeys } from './use-form-keys.ts'
import { ofPost, useLiveCheck } from './use-live-check.ts'

export interface PostSetFormProps {
  socialSet: SocialSet
  /** The set that is edited; null for a new one. */
  before: PostSet | null
  initial: Draft
  /** Tells whether something would be lost. */
  onChanged: (changed: boolean) => void
  /**
   * Saves, or answers false when somebody changed their mind. When it throws, the form stays and says why. `change` is what
   * differs from the set that is edited; `atOnce`: it is to go out now, whatever time stood in the form.
   */
  onSave: (body: PostSetBody, change: Partial<PostSetBody>, how: { atOnce: boolean }) => Promise<boolean>
}

const MAX_OCCURRENCES = 50

/** Writes a post set: accounts, captions, files, what single networks want, and when. */
export function PostSetForm(props: PostSetFormProps) {
  const { data, error, refetch } = useQuery(networksQuery)
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data) return <LoadingRows label="Loading the form…" />
  return <Form {...props} networks={data} />
}

function Form({
  socialSet,
  before,
  initial,
  onChanged,
  onSave,
  networks,
}: PostSetFormProps & { networks: readonly NetworkDescription[] }) {
  const name = before ? before.id : `new ${socialSet.id}`
  const version = before?.version ?? null
  const { draft, setDraft, changed, kept, useOlder, discard, saved } = useKeptDraft(name, version, initial)
  const [saving, setSaving] = useState<'DRAFT' | 'SCHEDULED' | null>(null)
  const [failure, setFailure] = useState<unknown>(null)
  const [untimed, setUntimed] = useState<string | null>(null)
  const mayPublish = useMay('post-sets:publish')
  useLayoutEffect(() => onChanged(changed), [changed, onChanged])
  const inSeries = before?.seriesId !== undefined
  const bodyOf = (written: Draft, status: PostSetBody['status']): PostSetBody => ({
    socialSetId: socialSet.id,
    scheduledAt: written.at,
    status,
    approval: written.approval,
    posts: postsOf(written, networks, before),
    ...(written.repeat && !inSeries ? { repeat: written.repeat } : {}),
  })
  const save = async (status: 'DRAFT' | 'SCHEDULED', { atOnce = false } = {}) => {
    setSaving(status)
    setFailure(null)
    try {
      const body = bodyOf(atOnce ? { ...draft, at: new Date().toISOString() } : draft, status)
      const change = differences(body, bodyOf(initial, before?.status === 'SCHEDULED' ? 'SCHEDULED' : 'DRAFT'))
      if (!(await onSave(body, change, { atOnce }))) return
      saved()
      onChanged(false)
    } catch (error) {
      setFailure(error)
    } finally {
      setSaving(null)
    }
  }
  const uncounted = draft.repeat !== null && !inSeries && !isCount(draft.repeat.occurrences, MAX_OCCURRENCES)
  // What the field says itself is not told again.
  const checked = bodyOf(uncounted ? { ...draft, repeat: null } : draft, 'SCHEDULED')
  const check = useLiveCheck({ ...checked, posts: postsOf(draft, networks, null) })
  const unsavable =
    draft.posts.length === 0 ? 'Choose an account first.' : (untimed ?? (uncounted ? 'Choose how many in all.' : null))
  const blocked = unsavable ?? (check.problems.length > 0 ? 'See what is to put right above.' : null)
  const hint = useId()
  const waits = saving !== null || check.checking
  useFormKeys({
    // A dialog over this one has its own keys.
    primary() {
      if (openDialogs().length > 1) return
      if (!mayPublish) return void (unsavable ? announce(unsavable) : saving === null && save('DRAFT'))
      if (blocked) announce(blocked)
      else if (!waits) void save('SCHEDULED')
    },
    saveDraft() {
      if (openDialogs().length > 1) return
      if (unsavable) announce(unsavable)
      else if (saving === null) void save('DRAFT')
    },
  })
  return (
    <Stack>
      <KeptNotice kept={kept} changed={changed} onUse={useOlder} onDiscard={discard} />
      <AccountChips
        socialSet={socialSet}
        networks={networks}
        draft={draft}
        onChange={(posts) => setDraft({ ...draft, posts })}
      />
      <PostTabs socialSet={socialSet} networks={networks} draft={draft} check={check} onChange={setDraft} />
      <ScheduleFields
        at={draft.at}
        zone={socialSet.timezone}
        onChange={(at) => setDraft({ ...draft, at })}
        onIncomplete={setUntimed}
      />
      {!inSeries && (
        <RepeatFields repeat={draft.repeat} max={MAX_OCCURRENCES} onChange={(repeat) => setDraft({ ...draft, repeat })}>
          {untimed === null && draft.repeat && !uncounted && (
            <SeriesDates socialSet={socialSet} at={draft.at} repeat={draft.repeat} />
          )}
        </RepeatFields>
      )}
      <ApprovalField initial={initial} draft={draft} onChange={setDraft} />
      <ProblemList problems={check.problems} warnings={check.warnings} />
      <Failure error={failure ?? check.error} />
      <Box
        pos="sticky"
        bottom={0}
        py="sm"
        bg="var(--mantine-color-body)"
        style={{ borderTop: '1px solid var(--mantine-color-default-border)', zIndex: 2 }}
      >
        <Group justify="flex-end">
          {blocked && (
            <Text size="sm" c="dimmed" id={hint} w={{ base: '100%', xs: 'auto' }} ta="right">
              {blocked}
            </Text>
          )}
          <Button
            variant="default"
            loading={saving === 'DRAFT'}
            disabled={unsavable !== null || saving !== null}
            aria-keyshortcuts="Control+S Meta+S"
            onClick={() => void save('DRAFT')}
          >
            {before?.status === 'SCHEDULED' ? 'Save as draft' : 'Save draft'}
          </Button>
          {mayPublish && !draft.repeat && (
            <Button
              variant="default"
              disabled={blocked !== null || waits}
              onClick={() => void save('SCHEDULED', { atOnce: true })}
            >
              Publish now…
            </Button>
          )}
          {mayPublish && (
            <Button
              loading={saving === 'SCHEDULED'}
              disabled={blocked !== null || waits}
              aria-keyshortcuts="Control+Enter Meta+Enter"
              aria-describedby={blocked ? hint : undefined}
              onClick={() => void save('SCHEDULED')}
            >
              {before?.status === 'SCHEDULED' ? 'Save' : 'Schedule'}
            </Button>
          )}
        </Group>
      </Box>
    </Stack>
  )
}

interface KeptNoticeProps {
  kept: 'none' | 'restored' | 'older'
  changed: boolean
  onUse: () => void
  onDiscard: () => void
}

/** Tells of what was written here before and never saved. */
function KeptNotice({ kept, changed, onUse, onDiscard }: KeptNoticeProps) {
  if (kept === 'none' || (kept === 'restored' && !changed)) return null
  const older = kept === 'older'
  return (
    <Alert role="status" color="blue" title="What you wrote before was kept">
      <Group justify="space-between">
        <Text size="sm">
          {older ? 'The set has changed since. What you see is the set as it is now.' : 'It is not saved yet.'}
        </Text>
        <Group gap="xs">
          {older && (
            <Button variant="default" size="compact-sm" onClick={onUse}>
              Use what I wrote
            </Button>
          )}
          <Button variant="default" size="compact-sm" onClick={onDiscard}>
            Discard it
          </Button>
        </Group>
      </Group>
    </Alert>
  )
}

interface PostTabsProps {
  socialSet: SocialSet
  networks: readonly NetworkDescription[]
  draft: Draft
  check: ReturnType<typeof useLiveCheck>
  onChange: (draft: Draft) => void
}

/** One tab for what all share, one for each network. */
function PostTabs({ socialSet, networks, draft, check, onChange }: PostTabsProps) {
  const [tab, setTab] = useState<string | null>('all')
  const shown = draft.posts.some((post, index) => tabOf(post, index) === tab) ? tab : 'all'
  return (
    <Tabs value={shown} onChange={setTab} keepMounted={false}>
      <Tabs.List aria-label="Posts">
        <Tabs.Tab value="all">All</Tabs.Tab>
        {draft.posts.map((post, index) => {
          const { accountType, caption, media } = post
          const wrong = ofPost(check.problems, index).length
          const own = caption !== null || media !== null
          return (
            <Tabs.Tab
              key={tabOf(post, index)}
              value={tabOf(post, index)}
              leftSection={<NetworkIcon accountType={accountType} size={16} decorative />}
              rightSection={wrong > 0 ? <Indicator inline color="red" size={8} processing={false} /> : null}
            >
              {networkName(accountType)}
              {wrong > 0 && `, ${wrong} to put right`}
              {own && ' (own)'}
            </Tabs.Tab>
          )
        })}
      </Tabs.List>
      <Tabs.Panel value="all" pt="sm">
        <Stack>
          <CaptionField
            label="Caption"
            value={draft.caption}
            problems={[]}
            autofocus
            onChange={(caption) => onChange({ ...draft, caption })}
          />
          <MediaFields socialSet={socialSet} media={draft.media} onChange={(media) => onChange({ ...draft, media })} />
        </Stack>
      </Tabs.Panel>
      {draft.posts.map((post, index) => (
        <Tabs.Panel key={tabOf(post, index)} value={tabOf(post, index)} pt="sm">
          <OnePost
            socialSet={socialSet}
            network={networks.find(({ accountType }) => accountType === post.accountType) ?? null}
            draft={draft}
            post={post}
            index={index}
            check={check}
            onChange={onChange}
          />
        </Tabs.Panel>
      ))}
    </Tabs>
  )
}

/** Two posts of one account type have a tab each. */
function tabOf({ accountType }: DraftPost, index: number): string {
  return `${accountType} ${index}`
}

interface OnePostProps extends Omit<PostTabsProps, 'networks'> {
  network: NetworkDescription | null
  post: DraftPost
  index: number
}

function OnePost({ socialSet, network, draft, post, index, check, onChange }: OnePostProps) {
  const { accountType } = post
  const change = (next: Partial<DraftPost>) => onChange(changePost(draft, index, next))
  const problems = ofPost(check.problems, index)
  const at = (field: string) => {
    const path = `posts[${index}].${field}`
    const found = problems.filter((entry) => entry.path === path || entry.path.startsWith(`${path}[`))
    return found.map(({ message }) => message).join(' ') || null
  }
  const media = mediaOf(draft, post)
  return (
    <Stack>
      <CaptionField
        label={`Caption on ${networkName(accountType)}`}
        value={captionOf(draft, post)}
        problems={problems.filter(({ path }) => path === `posts[${index}].caption`)}
        description={post.caption === null ? 'The same as all, until you change it here.' : 'Its own.'}
        onChange={(caption) => change({ caption })}
      />
      {post.caption !== null && (
        <Group>
          <Button variant="default" size="compact-sm" onClick={() => change({ caption: null })}>
            Use the caption of all
          </Button>
        </Group>
      )}
      <MediaFields
        socialSet={socialSet}
        media={media}
        error={at('media')}
        onChange={(next) => change({ media: next })}
      />
      {post.media !== null && (
        <Group>
          <Button variant="default" size="compact-sm" onClick={() => change({ media: null })}>
            Use the files of all
          </Button>
        </Group>
      )}
      {network && (
        <NetworkFields
          network={network}
          post={post}
          type={typeOf(network, post, media)}
          errorAt={at}
          onChange={change}
        />
      )}
    </Stack>
  )
}

/** What only reviewers set. */
const REVIEWED: readonly Approval[] = ['APPROVED', 'DENIED']
const APPROVALS = Object.keys(APPROVAL_WORDS) as Approval[]

/** What a reviewer has said stays what it is for who may not review. */
function ApprovalField({
  initial,
  draft,
  onChange,
}: {
  initial: Draft
  draft: Draft
  onChange: (draft: Draft) => void
}) {
  const mayReview = useMay('post-sets:review')
  const reviewed = REVIEWED.includes(initial.approval)
  const offered = APPROVALS.filter(
    (value) =>
      mayReview || value === initial.approval || (!REVIEWED.includes(value) && !(reviewed && value === 'NONE')),
  )
  return (
    <NativeSelect
      label="Approval"
      description="It does not hold a scheduled set back: what shall wait stays a draft."
      value={draft.approval}
      data={offered.map((value) => ({ value, label: APPROVAL_WORDS[value] }))}
      onChange={(event) => onChange({ ...draft, approval: event.currentTarget.value as Approval })}
    />
  )
}
