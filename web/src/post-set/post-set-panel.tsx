import '../design/more-styles.ts'
import { Alert, Badge, Button, Group, Stack, Tabs, Text } from '@mantine/core'
import {
  IconAlertTriangle,
  IconCheck,
  IconChevronDown,
  IconLink,
  IconLock,
  IconPencil,
  IconRepeat,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import type { CardState, PostSet, SocialSet } from '#contract'
import { hasCode } from '../api/api-error.ts'
import { usePreferences, useSession } from '../api/session.ts'
import { useApprovalWarning } from '../calendar/approval-warning.tsx'
import { STATE_WORDS } from '../calendar/card-words.ts'
import { Drawer } from '../design/dialogs.tsx'
import { EmptyState, ErrorState, LoadingRows } from '../design/states.tsx'
import { words } from '../design/words.ts'
import { usePostSetActions } from '../post-set-actions/post-set-actions.tsx'
import { PostSetMenu } from '../post-set-actions/post-set-menu.tsx'
import { awaitsReview, subjectOf, whyNotChangeable } from '../post-set-actions/subject.ts'
import { useIsWide } from '../shell/shell.tsx'
import { focusDialogIfLost } from '../shell/shortcuts.ts'
import { useViewerZone } from '../time/viewer.ts'
import { formatDateTime, sameClock, zoneChip } from '../time/zones.ts'
import { APPROVAL_WORDS } from './approval-words.ts'
import { HeldNotice, heldOf } from './held-notice.tsx'
import { History } from './history.tsx'
import { PostSetEditor } from './post-set-editor.tsx'
import { deliveriesQuery, postSetQuery } from './post-set-queries.ts'
import { PostView } from './post-view.tsx'
import { RequestedChanges } from './requested-changes.tsx'
import { Results } from './results.tsx'

export interface PostSetPanelProps {
  socialSet: SocialSet
  postSetId: string
  onClose: () => void
}

/** A post set with its posts, results and history; the way to its editor. */
export function PostSetPanel({ socialSet, postSetId, onClose }: PostSetPanelProps) {
  const wide = useIsWide()
  const [editing, setEditing] = useState(false)
  const { data, error, refetch, isPending } = useQuery({
    ...postSetQuery(postSetId),
    refetchInterval: ({ state }) => (state.data?.status === 'PUBLISHING' ? 3_000 : false),
  })
  const navigate = useNavigate()
  const missing = error !== null && hasCode(error, 'post-set:not_found')
  // It was shown and is gone: deleted here or by somebody else.
  const gone = missing && data !== undefined
  useEffect(() => {
    if (gone) onClose()
  }, [gone, onClose])
  // A link may name the wrong social set: its times and files are those of another one.
  const elsewhere = data && data.socialSetId !== socialSet.id ? data.socialSetId : null
  useEffect(() => {
    if (elsewhere === null) return
    void navigate({
      to: '/scheduling/calendar/$view',
      params: { view: 'month' },
      search: { set: elsewhere, post: postSetId },
      replace: true,
    })
  }, [elsewhere, navigate, postSetId])
  if (elsewhere !== null) return null
  if (editing && data) {
    return <PostSetEditor socialSet={socialSet} before={data} onClose={() => setEditing(false)} />
  }
  return (
    <Drawer
      opened
      data-undo
      onClose={onClose}
      position="right"
      size={wide ? 'lg' : '100%'}
      title="Post set"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {isPending && <LoadingRows label="Loading the post set…" />}
      {missing && !data ? (
        <EmptyState action={<Button onClick={onClose}>Back to the calendar</Button>}>
          There is no such post set. It was deleted, or you may not see it.
        </EmptyState>
      ) : (
        error &&
        !missing &&
        !data && <ErrorState title="The post set could not be loaded" error={error} onRetry={() => void refetch()} />
      )}
      {data && <Shown socialSet={socialSet} postSet={data} onEdit={() => setEditing(true)} />}
    </Drawer>
  )
}

function Shown({ socialSet, postSet, onEdit }: { socialSet: SocialSet; postSet: PostSet; onEdit: () => void }) {
  const preferences = usePreferences()
  const zone = socialSet.timezone
  const begun = postSet.status === 'PUBLISHING' || postSet.status === 'PUBLISHED'
  const yours = useViewerZone()
  const at = postSet.scheduledAt
  const held = heldOf(socialSet, postSet)
  const warning = useApprovalWarning(held?.whole ? { ...postSet, state: 'held' } : postSet)
  return (
    <Stack>
      <Stack gap={4}>
        <Text fw={600} size="lg" component="h2">
          {formatDateTime(postSet.scheduledAt, zone, preferences)}
        </Text>
        <Text size="sm" c="dimmed">
          {zoneChip(zone, postSet.scheduledAt)}
          {!sameClock(at, yours, zone) && `; for you ${formatDateTime(postSet.scheduledAt, yours, preferences)}`}
        </Text>
        <Group gap="xs">
          <State postSet={postSet} begun={begun} held={held?.whole === true} />
          {postSet.approval !== 'NONE' && (
            <Badge variant="light" color="grape" tt="none">
              {APPROVAL_WORDS[postSet.approval]}
            </Badge>
          )}
          {postSet.isLocked && (
            <Badge variant="light" color="gray" tt="none" leftSection={<IconLock size={12} aria-hidden />}>
              Locked
            </Badge>
          )}
          {postSet.seriesId && (
            <Badge variant="light" color="gray" tt="none" leftSection={<IconRepeat size={12} aria-hidden />}>
              Part of a series
            </Badge>
          )}
        </Group>
      </Stack>
      {held && !begun && <HeldNotice held={held} zone={zone} />}
      {warning && (
        <Alert color="orange" icon={<IconAlertTriangle aria-hidden />} p="sm">
          {warning}. Approval holds nothing back: to stop it, make it a draft.
        </Alert>
      )}
      {postSet.approval === 'DENIED' && !begun && <RequestedChanges postSetId={postSet.id} />}
      <Actions postSet={postSet} onEdit={onEdit} />
      <Tabs defaultValue={begun ? 'results' : 'posts'} keepMounted={false}>
        <Tabs.List aria-label="Parts of the post set">
          <Tabs.Tab value="posts">Posts</Tabs.Tab>
          <Tabs.Tab value="results">Results</Tabs.Tab>
          <Tabs.Tab value="history">History</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="posts" pt="sm">
          <Stack gap="sm">
            {postSet.posts.map((post) => (
              <PostView key={post.id} post={post} />
            ))}
          </Stack>
        </Tabs.Panel>
        <Tabs.Panel value="results" pt="sm">
          {begun ? (
            <Results postSet={postSet} zone={zone} />
          ) : (
            <EmptyState>
              {postSet.status === 'DRAFT'
                ? 'A draft publishes nothing. Schedule it to see here what becomes of it.'
                : 'It has not begun. Results are shown here when its time has come.'}
            </EmptyState>
          )}
        </Tabs.Panel>
        <Tabs.Panel value="history" pt="sm">
          <History postSetId={postSet.id} zone={zone} />
        </Tabs.Panel>
      </Tabs>
    </Stack>
  )
}

/** Once it has begun, what became of its posts says more than its status. */
function State({ postSet, begun, held }: { postSet: PostSet; begun: boolean; held: boolean }) {
  const { data } = useQuery({ ...deliveriesQuery(postSet), enabled: begun })
  const state = begun ? data?.state : held ? 'held' : undefined
  // Until it is known what became of it, nothing is said.
  if (begun && !state) return null
  return (
    <Badge variant="light" tt="none" {...(state && STATE_COLORS[state] ? { color: STATE_COLORS[state] } : {})}>
      {state ? STATE_WORDS[state] : words(postSet.status)}
    </Badge>
  )
}

const STATE_COLORS: Partial<Record<CardState, string>> = {
  held: 'orange',
  'partly-published': 'orange',
  failed: 'red',
}

function Actions({ postSet, onEdit }: { postSet: PostSet; onEdit: () => void }) {
  const { rights } = useSession()
  const { approve, copyLink, openRequestChanges } = usePostSetActions()
  const subject = subjectOf(postSet)
  const why = whyNotChangeable(subject, rights)
  // A button that was pressed may be gone with what it did.
  // biome-ignore lint/correctness/useExhaustiveDependencies: after each change of the set
  useEffect(() => {
    const frame = requestAnimationFrame(focusDialogIfLost)
    return () => cancelAnimationFrame(frame)
  }, [postSet.version])
  const reviews = rights.includes('post-sets:review') && awaitsReview(subject)
  return (
    <Stack gap="xs">
      <Group gap="xs">
        {reviews && (
          <>
            <Button leftSection={<IconCheck size={16} aria-hidden />} onClick={() => void approve(subject)}>
              Approve
            </Button>
            <Button variant="default" onClick={() => openRequestChanges(subject)}>
              Request changes…
            </Button>
          </>
        )}
        {!why && (
          <Button
            variant={reviews ? 'default' : 'filled'}
            leftSection={<IconPencil size={16} aria-hidden />}
            onClick={onEdit}
          >
            Edit
          </Button>
        )}
        <Button
          variant="default"
          leftSection={<IconLink size={16} aria-hidden />}
          onClick={() => void copyLink(subject)}
        >
          Copy link
        </Button>
        <PostSetMenu
          subject={subject}
          target={
            <Button variant="default" rightSection={<IconChevronDown size={16} aria-hidden />}>
              More
            </Button>
          }
        />
      </Group>
      {why && !reviews && (
        <Alert color="gray" p="xs">
          <Text size="sm">{why}</Text>
        </Alert>
      )}
    </Stack>
  )
}
