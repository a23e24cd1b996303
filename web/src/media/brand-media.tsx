import { plural } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { ActionIcon, Button, FileButton, Group, Text } from '@mantine/core'
import {
  IconCopyPlus,
  IconLink,
  IconPencilPlus,
  IconPhotoPlus,
  IconTag,
  IconTrash,
  IconUpload,
  IconX,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type DragEvent, useCallback, useRef, useState } from 'react'
import type { LibraryFile, SocialSet } from '#contract'
import { lazyWithWords } from '../api/code.ts'
import { useMay } from '../api/session.ts'
import { Modal } from '../design/dialogs.tsx'
import { PageTitle } from '../design/page-title.tsx'
import { Part } from '../design/part.tsx'
import rows from '../design/rows.module.css'
import { EmptyState } from '../design/states.tsx'
import { deleteFiles } from '../library/delete-files.ts'
import { FileView } from '../library/file-view.tsx'
import { ImportByAddress } from '../library/import-by-address.tsx'
import { Library } from '../library/library.tsx'
import { type LibraryFilters, mediaItemQuery } from '../library/library-queries.ts'
import { UnfinishedUploads } from '../library/unfinished-uploads.tsx'
import { filesOf } from '../uploads/files-of.ts'
import { mayHold, readGiven } from '../uploads/given.ts'
import { handItems } from '../uploads/handed-files.ts'
import { ACCEPTED } from '../uploads/refusals.ts'
import { addFiles } from '../uploads/run-uploads.ts'
import { InUse } from './in-use.tsx'
import classes from './media.module.css'
import { StorageBar } from './storage-bar.tsx'

const ReplaceDialog = lazyWithWords(() =>
  import('./replace-dialog.tsx').then(({ ReplaceDialog }) => ({ default: ReplaceDialog })),
)
const LabelFiles = lazyWithWords(() => import('./label-files.tsx').then(({ LabelFiles }) => ({ default: LabelFiles })))
const PostsOfFiles = lazyWithWords(() =>
  import('./posts-of-files.tsx').then(({ PostsOfFiles }) => ({ default: PostsOfFiles })),
)

interface BrandMediaProps {
  socialSet: SocialSet
  filters: LibraryFilters
  onFilters: (change: Partial<LibraryFilters>) => void
  /** Id of the file that is looked at. */
  opened: string | null
  onOpen: (id: string | null) => void
}

/** The library of a brand: what is in it, what comes into it, and what is done to what was selected. */
export function BrandMedia({ socialSet, filters, onFilters, opened, onOpen }: BrandMediaProps) {
  const { t } = useLingui()
  const mayChange = useMay('media:write')
  const mayPlan = useMay('post-sets:write')
  const mayLabel = useMay('labels:apply')
  const navigate = useNavigate()
  const [selected, setSelected] = useState<ReadonlyMap<string, LibraryFile>>(new Map())
  const [inUse, setInUse] = useState<readonly { id: string; name: string }[]>([])
  const [importing, setImporting] = useState(false)
  const [replaced, setReplaced] = useState<Parameters<typeof ReplaceDialog>[0]['file'] | null>(null)
  const [planned, setPlanned] = useState<readonly LibraryFile[]>([])
  const [labelled, setLabelled] = useState<readonly LibraryFile[]>([])
  // As it was when it was opened: a link leads to one that no page has.
  const shown = useRef<LibraryFile | null>(null)
  const known = shown.current?.id === opened ? shown.current : null
  const { data: linked } = useQuery({ ...mediaItemQuery(opened ?? ''), enabled: opened !== null && known === null })
  const file = opened === null ? null : (known ?? linked ?? null)
  const open = useCallback(
    (next: LibraryFile) => {
      shown.current = next
      onOpen(next.id)
    },
    [onOpen],
  )
  const toggle = useCallback((next: LibraryFile) => {
    setSelected((before) => {
      const after = new Map(before)
      if (!after.delete(next.id)) after.set(next.id, next)
      return after
    })
  }, [])
  const remove = async (files: readonly LibraryFile[]) => {
    setInUse(await deleteFiles(files))
    setSelected(new Map())
  }
  const add = (files: readonly File[]) => void addFiles(socialSet.id, files)
  const drop = useDropped(mayChange ? socialSet.id : null)
  const writeWith = (files: readonly LibraryFile[]) => {
    handItems(socialSet.id, files)
    void navigate({
      to: '/scheduling/calendar/$view',
      params: { view: 'month' },
      search: { set: socialSet.id, post: 'new' },
    })
  }
  const deleting = filters.shown !== 'DELETED'
  const number = selected.size
  return (
    <section className={classes.brand} aria-label={t`Media`} data-over={drop.over || undefined} {...drop.events}>
      <div className={classes.head}>
        <PageTitle title={t`Media`} />
        <StorageBar />
        {mayChange && (
          <Group gap="xs">
            <Button
              variant="default"
              leftSection={<IconLink size={16} aria-hidden />}
              onClick={() => setImporting(true)}
            >
              <Trans>From an address</Trans>
            </Button>
            <FileButton multiple accept={ACCEPTED} onChange={add} inputProps={{ 'aria-label': t`Files` }}>
              {(props) => (
                <Button {...props} leftSection={<IconUpload size={16} aria-hidden />}>
                  <Trans>Upload</Trans>
                </Button>
              )}
            </FileButton>
          </Group>
        )}
      </div>
      <Library
        socialSet={socialSet}
        filters={filters}
        onFilters={onFilters}
        selected={new Set(selected.keys())}
        onToggle={toggle}
        onOpen={open}
        {...(mayChange && deleting ? { onDelete: (one: LibraryFile) => void remove([one]) } : {})}
        empty={
          <EmptyState icon={<IconPhotoPlus size={32} aria-hidden />}>
            {mayChange ? (
              <Trans>There are no files yet. Drop pictures and videos here, or upload them.</Trans>
            ) : (
              <Trans>There are no files yet.</Trans>
            )}
          </EmptyState>
        }
      />
      {number > 0 && (
        <div className={rows.bar} role="toolbar" aria-label={t`Selected files`}>
          <strong role="status">{plural(number, { one: '# file selected', other: '# files selected' })}</strong>
          {mayPlan && deleting && (
            <>
              <Button
                variant="subtle"
                color="gray"
                leftSection={<IconPencilPlus size={16} aria-hidden />}
                onClick={() => writeWith([...selected.values()])}
              >
                <Trans>New post</Trans>
              </Button>
              {number > 1 && (
                <Button
                  variant="subtle"
                  color="gray"
                  leftSection={<IconCopyPlus size={16} aria-hidden />}
                  onClick={() => setPlanned([...selected.values()])}
                >
                  <Trans>One post per file</Trans>
                </Button>
              )}
            </>
          )}
          {mayLabel && deleting && (
            <Button
              variant="subtle"
              color="gray"
              leftSection={<IconTag size={16} aria-hidden />}
              onClick={() => setLabelled([...selected.values()])}
            >
              <Trans>Labels…</Trans>
            </Button>
          )}
          {mayChange && deleting && (
            <Button
              variant="subtle"
              color="gray"
              leftSection={<IconTrash size={16} aria-hidden />}
              onClick={() => void remove([...selected.values()])}
            >
              <Trans>Delete</Trans>
            </Button>
          )}
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t`Clear selection`}
            onClick={() => setSelected(new Map())}
          >
            <IconX size={16} aria-hidden />
          </ActionIcon>
        </div>
      )}
      {drop.over && (
        <div className={classes.over} aria-hidden>
          <Text fw={600}>
            <Trans>Drop to add to the library</Trans>
          </Text>
        </div>
      )}
      <FileView
        file={file}
        socialSet={socialSet}
        onReplace={mayPlan ? setReplaced : undefined}
        onClose={() => onOpen(null)}
      />
      <Part>
        {replaced && <ReplaceDialog file={replaced} socialSet={socialSet} onClose={() => setReplaced(null)} />}
        {labelled.length > 0 && (
          <LabelFiles files={labelled} onClose={() => setLabelled([])} onDone={() => setSelected(new Map())} />
        )}
        {planned.length > 0 && (
          <PostsOfFiles
            files={planned}
            socialSet={socialSet}
            onClose={() => setPlanned([])}
            onDone={() => {
              setPlanned([])
              setSelected(new Map())
            }}
          />
        )}
      </Part>
      <InUse files={inUse} socialSet={socialSet} onClose={() => setInUse([])} />
      <Modal opened={importing} onClose={() => setImporting(false)} title={t`From an address`}>
        <ImportByAddress socialSet={socialSet} onReady={() => setImporting(false)} />
        <UnfinishedUploads socialSet={socialSet} />
      </Modal>
    </section>
  )
}

/** Files and pictures of web pages that are dropped anywhere on the screen come into the library. */
function useDropped(socialSetId: string | null) {
  const [over, setOver] = useState(false)
  const takes = (event: DragEvent) => socialSetId !== null && mayHold(event.dataTransfer, 'pictures')
  return {
    over,
    events: {
      onDragOver(event: DragEvent) {
        if (!takes(event)) return
        event.preventDefault()
        event.dataTransfer.dropEffect = 'copy'
        setOver(true)
      },
      onDragLeave(event: DragEvent<HTMLElement>) {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false)
      },
      onDrop(event: DragEvent) {
        setOver(false)
        if (socialSetId === null || !takes(event)) return
        event.preventDefault()
        addFiles(socialSetId, filesOf(readGiven(event.dataTransfer)))
      },
    },
  }
}
