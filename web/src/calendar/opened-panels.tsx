import { t } from '@lingui/core/macro'
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import type { PostSet, SocialSet } from '#contract'
import { lazyWithWords } from '../api/code.ts'
import { useMay } from '../api/session.ts'
import { rememberOpener } from '../design/opener.ts'
import { Part } from '../design/part.tsx'
import { showWhyNot } from '../design/toast.tsx'
import { nextFreeTime } from '../planning/dates/dates.ts'
import type { Source } from '../uploads/files-of.ts'
import { handToComposer } from '../uploads/handed-files.ts'
import { useFilesOnDays } from '../uploads/use-files-on-days.ts'
import type { AddressChange, CalendarSearch } from './address.ts'

const PostSetPanel = lazyWithWords(() =>
  import('../post-set/post-set-panel.tsx').then(({ PostSetPanel }) => ({ default: PostSetPanel })),
)
const PostSetEditor = lazyWithWords(() =>
  import('../post-set/post-set-editor.tsx').then(({ PostSetEditor }) => ({ default: PostSetEditor })),
)
const NoteEditor = lazyWithWords(() =>
  import('../notes/note-editor.tsx').then(({ NoteEditor }) => ({ default: NoteEditor })),
)

export interface OpenedPanelsProps {
  socialSet: SocialSet
  search: CalendarSearch
  /** Of a new post whose time is not asked for. */
  dayInSight: Temporal.PlainDate
  go: (change: AddressChange) => void
  /** Ids of the posts on the page, in their order. */
  order: readonly string[]
  /** Posts at whose times a new one does not begin. */
  planned: readonly { scheduledAt: string }[]
  /** Files are dropped on days; not where their brand is asked for first. */
  takesFiles?: boolean
  /** The panel of a post set was closed, or a new one was saved. */
  onClosed: (id: string) => void
}

/** What the address has opened over the calendar: a post set, a new one, or a note. */
export function OpenedPanels({
  socialSet,
  search,
  dayInSight,
  go,
  order,
  planned,
  takesFiles = true,
  onClosed,
}: OpenedPanelsProps) {
  const { post, note, at, draft } = search
  const when = at === undefined || Number.isNaN(Date.parse(at)) ? {} : { at }
  // The same between renders: a panel whose set is gone closes by itself, once.
  const close = useCallback(() => {
    go({ post: undefined, note: undefined, at: undefined })
    if (post !== undefined && post !== 'new') onClosed(post)
  }, [go, post, onClosed])
  /** The focus goes to what was saved instead of back. */
  const saved = useRef(false)
  const onSaved = ({ id }: PostSet) => {
    saved.current = true
    onClosed(id)
  }
  const mayWrite = useMay('post-sets:write')
  const mayUpload = useMay('media:write')
  const onFiles = async (date: string, files: readonly Source[]) => {
    await handToComposer(socialSet.id, files)
    go({ post: 'new', at: nextFreeTime(Temporal.PlainDate.from(date), socialSet.timezone, planned) })
  }
  useFilesOnDays(mayWrite && mayUpload ? (date, files) => void onFiles(date, files) : null, takesFiles)
  const refused = post === 'new' && !mayWrite
  const writing = useNewText(post === 'new' && mayWrite, draft, go)
  useEffect(() => {
    if (!refused) return
    go({ post: undefined, at: undefined, replace: true })
    showWhyNot(t`Your role does not write posts.`)
  }, [refused, go])
  return (
    <>
      {(post === 'new' || note !== undefined) && <FocusReturn elsewhere={saved} />}
      <Part>
        {writing && (
          <PostSetEditor
            key={writing.key}
            socialSet={socialSet}
            {...writing.text}
            {...when}
            usualAt={nextFreeTime(dayInSight, socialSet.timezone, planned)}
            onClose={close}
            onSaved={onSaved}
          />
        )}
        {post !== undefined && post !== 'new' && (
          <PostSetPanel
            key={post}
            socialSet={socialSet}
            postSetId={post}
            order={order}
            onOpen={(id) => go({ post: id, replace: true })}
            onClose={close}
          />
        )}
        {note !== undefined && (
          <NoteEditor
            key={note}
            socialSet={socialSet}
            noteId={note === 'new' ? null : note}
            {...when}
            onClose={close}
          />
        )}
      </Part>
    </>
  )
}

/** Texts that began here: nobody else has them yet. */
const begun = new Set<string>()
/** Texts that go on under another id, and the first one that they had. */
const renamed = new Map<string, string>()

/** The text of a new post is named in the address, so that a reload goes on with it. Null while none is written. */
function useNewText(isWriting: boolean, draft: string | undefined, go: OpenedPanelsProps['go']) {
  const unnamed = isWriting && draft === undefined
  useEffect(() => {
    if (!unnamed) return
    const id = crypto.randomUUID()
    begun.add(id)
    go({ post: 'new', draft: id, replace: true })
  }, [unnamed, go])
  useEffect(() => {
    // Opened again, it is not new any more.
    return () => {
      if (draft !== undefined) begun.delete(draft)
    }
  }, [draft])
  if (!isWriting || draft === undefined) return null
  const onId = (id: string) => {
    begun.add(id)
    renamed.set(id, renamed.get(draft) ?? draft)
    go({ post: 'new', draft: id, replace: true })
  }
  return { key: renamed.get(draft) ?? draft, text: { draftId: draft, isBegun: begun.has(draft), onDraftId: onId } }
}

/** Puts the focus back, when it goes away, to what had it when it came, unless it is to be elsewhere then. */
function FocusReturn({ elsewhere }: { elsewhere: RefObject<boolean> }) {
  // As it is drawn, before what comes with it takes the focus.
  const [back] = useState(rememberOpener)
  useEffect(() => {
    elsewhere.current = false
    return () => {
      if (!elsewhere.current) requestAnimationFrame(back)
    }
  }, [back, elsewhere])
  return null
}
