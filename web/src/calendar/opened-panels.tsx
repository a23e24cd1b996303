import { lazy, Suspense } from 'react'
import type { SocialSet } from '#contract'
import type { AddressChange, CalendarSearch } from './address.ts'

const PostSetPanel = lazy(() =>
  import('../post-set/post-set-panel.tsx').then(({ PostSetPanel }) => ({ default: PostSetPanel })),
)
const PostSetEditor = lazy(() =>
  import('../post-set/post-set-editor.tsx').then(({ PostSetEditor }) => ({ default: PostSetEditor })),
)
const NoteEditor = lazy(() => import('../notes/note-editor.tsx').then(({ NoteEditor }) => ({ default: NoteEditor })))

interface OpenedPanelsProps {
  socialSet: SocialSet
  search: CalendarSearch
  go: (change: AddressChange) => void
  /** The panel of a post set was closed. */
  onClosed: (id: string) => void
}

/** What the address has opened over the calendar: a post set, a new one, or a note. */
export function OpenedPanels({ socialSet, search, go, onClosed }: OpenedPanelsProps) {
  const { post, note, at } = search
  const when = at === undefined || Number.isNaN(Date.parse(at)) ? {} : { at }
  const close = () => {
    go({ post: undefined, note: undefined, at: undefined })
    if (post !== undefined && post !== 'new') onClosed(post)
  }
  return (
    <Suspense fallback={null}>
      {post === 'new' && <PostSetEditor socialSet={socialSet} {...when} onClose={close} />}
      {post !== undefined && post !== 'new' && (
        <PostSetPanel key={post} socialSet={socialSet} postSetId={post} onClose={close} />
      )}
      {note !== undefined && (
        <NoteEditor key={note} socialSet={socialSet} noteId={note === 'new' ? null : note} {...when} onClose={close} />
      )}
    </Suspense>
  )
}
