import '../design/more-styles.ts'
import { Alert, Button, Group, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useMemo, useRef, useState } from 'react'
import type { PostSet, SocialSet } from '#contract'
import { ApiError, hasCode } from '../api/api-error.ts'
import { queryKeys } from '../api/query-keys.ts'
import { usePreferences } from '../api/session.ts'
import { useConfirmAction } from '../design/confirm.tsx'
import { Drawer } from '../design/dialogs.tsx'
import { networkName } from '../design/network-icon.tsx'
import { showDone, showUndo } from '../design/toast.tsx'
import { listOf } from '../design/words.ts'
import { revert, revertSeries } from '../post-set-actions/change.ts'
import { PUBLISHES_AT_ONCE, publishesAtOnce } from '../post-set-actions/plan-move.ts'
import { usePostSetActions } from '../post-set-actions/post-set-actions.tsx'
import { useIsWide } from '../shell/shell.tsx'
import { formatDateTime } from '../time/zones.ts'
import { draftOf, emptyDraft } from './draft.ts'
import { PostSetForm, type PostSetFormProps } from './post-set-form.tsx'
import { createPostSet, type PostSetBody, updatePostSet } from './post-set-queries.ts'

export interface PostSetEditorProps {
  socialSet: SocialSet
  /** The set that is edited; null for a new one. */
  before?: PostSet | null
  /** When a new set is to be; ISO 8601 in UTC. */
  at?: string
  onClose: () => void
  onSaved?: (postSet: PostSet) => void
}

/** Writes a new post set, or changes one. */
export function PostSetEditor({ socialSet, before = null, at, onClose, onSaved }: PostSetEditorProps) {
  const queryClient = useQueryClient()
  const preferences = usePreferences()
  const confirm = useConfirmAction()
  const wide = useIsWide()
  const { leave } = usePostSetActions()
  // A reference: a key that follows the last letter at once has to find it.
  const changed = useRef(false)
  const onChanged = useCallback((now: boolean) => {
    changed.current = now
  }, [])
  // What was read when the editor opened. It is the version that saving asks for: what others change meanwhile is seen.
  const [begun, setBegun] = useState(before)
  const initial = useMemo(
    () => (begun ? draftOf(begun) : emptyDraft(at ?? new Date(Date.now() + 3_600_000).toISOString())),
    [begun, at],
  )
  const overtaken = before !== null && begun !== null && before.version !== begun.version
  const close = () => {
    if (!changed.current) return onClose()
    void confirm({
      title: 'Close without saving?',
      children: 'What you wrote is kept in this browser and offered to you when you come back.',
      confirmLabel: 'Close',
      run: async () => onClose(),
    })
  }
  const reload = () =>
    Promise.all([
      queryClient.invalidateQueries({ queryKey: queryKeys.postSets.all }),
      queryClient.invalidateQueries({ queryKey: queryKeys.calendar.all }),
    ])
  const store = async (body: PostSetBody, change: Partial<PostSetBody>, publishNow: boolean) => {
    const saved = begun ? await updatePostSet(begun, change, publishNow) : await createPostSet(body, publishNow)
    await reload()
    const message = savedWords(saved, body, publishNow)
    // What publishes cannot be taken back.
    if (publishNow) showDone(message)
    else if (body.repeat && !begun) showUndo({ message, undo: () => undoSeries(saved) })
    else if (body.repeat) showDone(message)
    else if (!begun || saved.version > begun.version) showUndo({ message, undo: () => undoOf(saved, begun === null) })
    onSaved?.(saved)
    onClose()
  }
  const savedWords = ({ scheduledAt, status }: PostSet, { repeat }: PostSetBody, publishNow: boolean) => {
    if (publishNow) return 'Publishing now. The panel of the set shows what becomes of it.'
    const when = formatDateTime(scheduledAt, socialSet.timezone, preferences)
    const sets = repeat ? `${repeat.occurrences} sets ` : ''
    const first = repeat ? 'the first for ' : 'for '
    if (begun?.status === 'SCHEDULED' && status === 'SCHEDULED' && sets === '') return `Saved. It goes out ${when}.`
    if (status === 'SCHEDULED') return sets === '' ? `Scheduled for ${when}.` : `${sets}scheduled, ${first}${when}.`
    return sets === '' ? `Saved as a draft for ${when}.` : `${sets}saved as drafts, ${first}${when}.`
  }
  const undoOf = async ({ id, version }: PostSet, isNew: boolean) => {
    if (isNew) leave([id])
    return revert([{ id, version }], isNew ? { delete: true } : { undo: true })
  }
  const undoSeries = async (first: PostSet) => {
    leave([first.id])
    return revertSeries(first)
  }
  const save: PostSetFormProps['onSave'] = async (body, change, { atOnce }) => {
    if (!publishesAtOnce(body, body.scheduledAt)) {
      try {
        await store(body, change, false)
        return true
      } catch (error) {
        // The clock of the server is ahead of the one here.
        if (!hasCode(error, PUBLISHES_AT_ONCE)) throw overtakenWords(error)
      }
    }
    const names = body.posts.map((post) => networkName((post as PostSet['posts'][number]).accountType))
    return confirm({
      title: 'Publish now?',
      children: `${atOnce ? 'This' : 'The time has passed, so this'} goes out at once to ${listOf(names)}. It cannot be taken back.`,
      confirmLabel: 'Publish now',
      run: () => store(body, change, true),
    })
  }
  return (
    <Drawer
      opened
      onClose={close}
      position="right"
      size={wide ? 'xl' : '100%'}
      title={before ? 'Edit post set' : 'New post set'}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {overtaken && (
        <Alert role="alert" color="yellow" title="This post set was changed meanwhile" mb="md">
          <Group justify="space-between">
            <Text size="sm">
              Saving would be refused. What you wrote is kept, and offered to you over the new state.
            </Text>
            <Button variant="default" size="compact-sm" onClick={() => setBegun(before)}>
              Load the new state
            </Button>
          </Group>
        </Alert>
      )}
      <PostSetForm
        key={begun?.version ?? 'new'}
        socialSet={socialSet}
        before={begun}
        initial={initial}
        onChanged={onChanged}
        onSave={save}
      />
    </Drawer>
  )
}

/** That somebody else was faster, in words for people. */
function overtakenWords(error: unknown): unknown {
  if (!(error instanceof ApiError) || !hasCode(error, 'post-set:version_conflict')) return error
  const message = 'Somebody else has changed this post set meanwhile. Load the new state first; what you wrote is kept.'
  return new ApiError({ status: error.status, code: error.code, message })
}
