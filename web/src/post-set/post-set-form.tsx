import { Alert, Box, Button, Group, Indicator, NativeSelect, Stack, Tabs, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import type { AccountType, Approval, NetworkDescription, PostSet, SocialSet } from '#contract'
import { useMay } from '../api/session.ts'
import { Failure } from '../design/confirm-action.tsx'
import { NetworkIcon, networkName } from '../design/network-icon.tsx'
import { ErrorState, LoadingRows } from '../design/states.tsx'
import { AccountChips } from './account-chips.tsx'
import { CaptionField } from './caption-field.tsx'
import { captionOf, changePost, type Draft, type DraftPost, mediaOf, postsOf, typeOf } from './draft.ts'
import { useKeptDraft } from './kept-draft.ts'
import { MediaFields } from './media-fields.tsx'
import { NetworkFields } from './network-fields.tsx'
import { networksQuery, type PostSetBody } from './post-set-queries.ts'
import { ProblemList } from './problem-list.tsx'
import { RepeatFields } from './repeat-fields.tsx'
import { ScheduleFields } from './schedule-fields.tsx'
import { ofPost, useLiveCheck } from './use-live-check.ts'

export interface PostSetFormProps {
  socialSet: SocialSet
  /** The set that is edited; null for a new one. */
  before: PostSet | null
  initial: Draft
  /** Tells whether something would be lost. */
  onChanged: (changed: boolean) => void
  /** Saves, or answers false when somebody changed their mind. When it throws, the form stays and says why. */
  onSave: (body: PostSetBody) => Promise<boolean>
}

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
  const { draft, setDraft: keep, changed, restored, discard, saved } = useKeptDraft(name, initial)
  const [saving, setSaving] = useState<'DRAFT' | 'SCHEDULED' | null>(null)
  const [failure, setFailure] = useState<unknown>(null)
  const mayPublish = useMay('post-sets:publish')
  const setDraft = (next: Draft) => {
    keep(next)
    onChanged(true)
  }
  const bodyOf = (status: 'DRAFT' | 'SCHEDULED'): PostSetBody => ({
    socialSetId: socialSet.id,
    scheduledAt: draft.at,
    status,
    approval: draft.approval,
    posts: postsOf(draft, networks, before),
    ...(draft.repeat ? { repeat: draft.repeat } : {}),
  })
  const check = useLiveCheck({ ...bodyOf('SCHEDULED'), posts: postsOf(draft, networks, null) })
  const save = async (status: 'DRAFT' | 'SCHEDULED') => {
    setSaving(status)
    setFailure(null)
    try {
      if (!(await onSave(bodyOf(status)))) return
      saved()
      onChanged(false)
    } catch (error) {
      setFailure(error)
    } finally {
      setSaving(null)
    }
  }
  const empty = draft.posts.length === 0
  const blocked = empty
    ? 'Choose an account first.'
    : check.problems.length > 0
      ? 'See what is to put right above.'
      : null
  const hint = useId()
  return (
    <Stack>
      {restored && changed && (
        <Alert color="blue" title="What you wrote before was kept">
          <Group justify="space-between">
            <Text size="sm">It is not saved yet.</Text>
            <Button variant="default" size="compact-sm" onClick={discard}>
              Discard it
            </Button>
          </Group>
        </Alert>
      )}
      <AccountChips
        socialSet={socialSet}
        networks={networks}
        draft={draft}
        error={null}
        onChange={(posts) => setDraft({ ...draft, posts })}
      />
      <PostTabs socialSet={socialSet} networks={networks} draft={draft} check={check} onChange={setDraft} />
      <ScheduleFields at={draft.at} zone={socialSet.timezone} onChange={(at) => setDraft({ ...draft, at })} />
      {!before?.seriesId && (
        <RepeatFields repeat={draft.repeat} max={50} onChange={(repeat) => setDraft({ ...draft, repeat })} />
      )}
      <ApprovalField draft={draft} onChange={setDraft} />
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
            disabled={empty || saving !== null}
            onClick={() => void save('DRAFT')}
          >
            {before?.status === 'SCHEDULED' ? 'Save as draft' : 'Save draft'}
          </Button>
          {mayPublish && (
            <Button
              loading={saving === 'SCHEDULED'}
              disabled={blocked !== null || saving !== null || check.checking}
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
  const shown = draft.posts.some(({ accountType }) => accountType === tab) ? tab : 'all'
  return (
    <Tabs value={shown} onChange={setTab} keepMounted={false}>
      <Tabs.List aria-label="Posts">
        <Tabs.Tab value="all">All</Tabs.Tab>
        {draft.posts.map(({ accountType, caption, media }, index) => {
          const wrong = ofPost(check.problems, index).length
          const own = caption !== null || media !== null
          return (
            <Tabs.Tab
              key={accountType}
              value={accountType}
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
            onChange={(caption) => onChange({ ...draft, caption })}
          />
          <MediaFields socialSet={socialSet} media={draft.media} onChange={(media) => onChange({ ...draft, media })} />
        </Stack>
      </Tabs.Panel>
      {draft.posts.map((post, index) => (
        <Tabs.Panel key={post.accountType} value={post.accountType} pt="sm">
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

interface OnePostProps extends Omit<PostTabsProps, 'networks'> {
  network: NetworkDescription | null
  post: DraftPost
  index: number
}

function OnePost({ socialSet, network, draft, post, index, check, onChange }: OnePostProps) {
  const { accountType } = post
  const change = (next: Partial<DraftPost>) => onChange(changePost(draft, accountType as AccountType, next))
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

const APPROVALS: { value: Approval; label: string }[] = [
  { value: 'NONE', label: 'Not needed' },
  { value: 'PENDING', label: 'Waiting for the team' },
  { value: 'EXTERNAL_PENDING', label: 'Waiting for somebody outside' },
  { value: 'APPROVED', label: 'Approved' },
  { value: 'DENIED', label: 'Changes requested' },
]

function ApprovalField({ draft, onChange }: { draft: Draft; onChange: (draft: Draft) => void }) {
  return (
    <NativeSelect
      label="Approval"
      description="It does not hold a scheduled set back: what shall wait stays a draft."
      value={draft.approval}
      data={APPROVALS}
      onChange={(event) => onChange({ ...draft, approval: event.currentTarget.value as Approval })}
    />
  )
}
