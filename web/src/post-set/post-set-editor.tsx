import '../design/more-styles.ts'
import { Drawer } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { PostSet, SocialSet } from '#contract'
import { queryKeys } from '../api/query-keys.ts'
import { usePreferences } from '../api/session.ts'
import { announce } from '../design/announce.tsx'
import { useConfirmAction } from '../design/confirm.tsx'
import { networkName } from '../design/network-icon.tsx'
import { showDone } from '../design/toast.tsx'
import { listOf } from '../design/words.ts'
import { formatDateTime } from '../time/zones.ts'
import { draftOf, emptyDraft } from './draft.ts'
import { PostSetForm } from './post-set-form.tsx'
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
  const narrow = useMediaQuery('(max-width: 40em)')
  const [changed, setChanged] = useState(false)
  const [initial] = useState(() =>
    before ? draftOf(before) : emptyDraft(at ?? new Date(Date.now() + 3_600_000).toISOString()),
  )
  const close = () => {
    if (!changed) return onClose()
    void confirm({
      title: 'Close without saving?',
      children: 'What you wrote is kept in this browser and offered to you when you come back.',
      confirmLabel: 'Close',
      run: async () => onClose(),
    })
  }
  const store = async (body: PostSetBody) => {
    const saved = before ? await updatePostSet(before, changeOf(body)) : await createPostSet(body)
    await Promise.all([
      queryClient.invalidateQueries({ queryKey: queryKeys.postSets.all }),
      queryClient.invalidateQueries({ queryKey: ['calendar'] }),
    ])
    const when = formatDateTime(saved.scheduledAt, socialSet.timezone, preferences)
    const words = saved.status === 'SCHEDULED' ? `Scheduled for ${when}.` : `Saved as a draft for ${when}.`
    showDone(words)
    announce(words)
    onSaved?.(saved)
    onClose()
  }
  const save = async (body: PostSetBody): Promise<boolean> => {
    const now = body.status === 'SCHEDULED' && new Date(body.scheduledAt).getTime() <= Date.now()
    if (!now) {
      await store(body)
      return true
    }
    const names = body.posts.map((post) => networkName((post as PostSet['posts'][number]).accountType))
    return confirm({
      title: 'Publish now?',
      children: `The time has passed, so this goes out at once to ${listOf(names)}. It cannot be taken back.`,
      confirmLabel: 'Publish now',
      run: () => store(body),
    })
  }
  return (
    <Drawer
      opened
      onClose={close}
      position="right"
      size={narrow ? '100%' : 'xl'}
      title={before ? 'Edit post set' : 'New post set'}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <PostSetForm socialSet={socialSet} before={before} initial={initial} onChanged={setChanged} onSave={save} />
    </Drawer>
  )
}

/** What a change may say: not to which social set it belongs. */
function changeOf({ socialSetId: _, ...change }: PostSetBody): Partial<PostSetBody> {
  return change
}
