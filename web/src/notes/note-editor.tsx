import '../design/more-styles.ts'
import { Alert, Button, ColorSwatch, Group, Radio, SimpleGrid, Stack, Text, Textarea } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useCallback, useEffect, useRef, useState } from 'react'
import type { Note, NoteColor, Repeat, SocialSet } from '#contract'
import { hasCode } from '../api/api-error.ts'
import { api } from '../api/client.ts'
import { queryKeys } from '../api/query-keys.ts'
import { useMay, usePreferences } from '../api/session.ts'
import { useConfirmAction } from '../design/confirm.tsx'
import { Failure } from '../design/confirm-action.tsx'
import { Modal } from '../design/dialogs.tsx'
import { EmptyState, ErrorState, LoadingRows } from '../design/states.tsx'
import { showDone, showError, showUndo } from '../design/toast.tsx'
import { differences } from '../post-set/draft.ts'
import { isCount, RepeatFields } from '../post-set/repeat-fields.tsx'
import { ScheduleFields } from '../post-set/schedule-fields.tsx'
import { formatDate } from '../time/zones.ts'
import { NOTE_COLOR_NAMES, NOTE_COLORS } from './note-colors.ts'

const MAX_CHARACTERS = 1024
const MAX_OCCURRENCES = 100

export interface NoteEditorProps {
  socialSet: SocialSet
  /** The note that is changed; null for a new one. */
  noteId: string | null
  /** When a new note is pinned to; ISO 8601 in UTC. */
  at?: string
  onClose: () => void
}

/** Writes a note, or changes one. */
export function NoteEditor(props: NoteEditorProps) {
  const confirm = useConfirmAction()
  const changed = useRef(false)
  const close = () => {
    if (!changed.current) return props.onClose()
    void confirm({
      title: 'Close without saving?',
      children: 'What you wrote is lost.',
      confirmLabel: 'Close',
      danger: true,
      run: async () => props.onClose(),
    })
  }
  const onChanged = useCallback((now: boolean) => {
    changed.current = now
  }, [])
  const form = { ...props, onChanged }
  return (
    <Modal
      opened
      onClose={close}
      title={props.noteId ? 'Note' : 'New note'}
      size="md"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {props.noteId ? <KnownNote {...form} noteId={props.noteId} /> : <NoteForm {...form} before={null} />}
    </Modal>
  )
}

interface NoteFormProps extends NoteEditorProps {
  /** Tells whether something would be lost. */
  onChanged: (changed: boolean) => void
}

function KnownNote({ noteId, ...props }: NoteFormProps & { noteId: string }) {
  const { data, error, refetch } = useQuery({
    queryKey: queryKeys.notes.one(noteId),
    queryFn: ({ signal }) => api.get<Note>(`/notes/${encodeURIComponent(noteId)}`, { signal }),
  })
  if (error && !data && hasCode(error, 'note:not_found')) {
    return (
      <EmptyState action={<Button onClick={props.onClose}>Back to the calendar</Button>}>
        There is no such note. It was deleted, or you may not see it.
      </EmptyState>
    )
  }
  if (error && !data)
    return <ErrorState title="The note could not be loaded" error={error} onRetry={() => void refetch()} />
  if (!data) return <LoadingRows rows={3} label="Loading the note…" />
  return <NoteForm {...props} key={noteId} noteId={noteId} before={data} />
}

function NoteForm({ socialSet, before: read, at, onClose, onChanged }: NoteFormProps & { before: Note | null }) {
  // What was read when it was opened: what others change meanwhile is not taken back.
  const [before] = useState(read)
  const queryClient = useQueryClient()
  const preferences = usePreferences()
  const mayWrite = useMay('notes:write')
  const [content, setContent] = useState(before?.content ?? '')
  const [color, setColor] = useState<NoteColor>(before?.hexColor ?? NOTE_COLORS[0] ?? '#faf785')
  const [when, setWhen] = useState(before?.scheduledAt ?? at ?? new Date().toISOString())
  const [repeat, setRepeat] = useState<Repeat | null>(null)
  const [saving, setSaving] = useState(false)
  const [untimed, setUntimed] = useState<string | null>(null)
  const [failure, setFailure] = useState<unknown>(null)
  const pinned = before !== null && (before.type === 'RECURRING' || before.source.type === 'GOOGLE_IMPORT')
  const length = [...content].length
  const written = { content, hexColor: color, ...(pinned ? {} : { scheduledAt: when }) }
  const change: Partial<Note> = before ? differences<Partial<Note>>(written, before) : written
  const dirty = before ? Object.keys(change).length > 0 : content !== ''
  useEffect(() => onChanged(dirty), [dirty, onChanged])

  // What is open here is not asked for again: it may have been deleted just now.
  const reload = () =>
    Promise.all([
      queryClient.invalidateQueries({ queryKey: queryKeys.notes.all, refetchType: 'none' }),
      queryClient.invalidateQueries({ queryKey: queryKeys.calendar.all }),
    ])
  const save = async (event: FormEvent) => {
    event.preventDefault()
    setSaving(true)
    setFailure(null)
    try {
      const message = `Note saved for ${formatDate(when, socialSet.timezone, preferences)}.`
      if (before) {
        await api.patch(`/notes/${before.id}`, change)
        const undo = async () => {
          await api.patch(`/notes/${before.id}`, valuesOf(before, change))
          await reload()
        }
        if (dirty) showUndo({ message, undo })
      } else {
        const repeats = repeat ? { repeat } : {}
        await api.post('/notes', { socialSetId: socialSet.id, ...written, ...repeats })
        showDone(message)
      }
      await reload()
      onClose()
    } catch (error) {
      setFailure(error)
      setSaving(false)
    }
  }
  const remove = async () => {
    if (!before) return
    try {
      await api.delete(`/notes/${before.id}`)
      await reload()
      showUndo({
        message: 'Note deleted.',
        undo: async () => {
          await api.post(`/notes/${before.id}/restore`)
          await reload()
        },
      })
      onClose()
    } catch (error) {
      showError(error)
    }
  }
  return (
    <form onSubmit={(event) => void save(event)}>
      <Stack>
        {!mayWrite && <Alert color="gray">Your role reads notes and does not change them.</Alert>}
        <Textarea
          label="Text"
          value={content}
          required
          autosize
          minRows={3}
          maxRows={10}
          disabled={!mayWrite}
          data-autofocus
          error={length > MAX_CHARACTERS ? `Shorten it by ${length - MAX_CHARACTERS} characters.` : null}
          onChange={(event) => setContent(event.currentTarget.value)}
        />
        <Radio.Group
          label="Colour"
          value={color}
          onChange={(value) => setColor(value as NoteColor)}
          readOnly={!mayWrite}
        >
          <SimpleGrid cols={3} spacing="xs" verticalSpacing="xs" mt={4}>
            {NOTE_COLORS.map((hex) => (
              <Radio
                key={hex}
                value={hex}
                disabled={!mayWrite}
                label={
                  <Group component="span" gap={4} wrap="nowrap" display="inline-flex">
                    <ColorSwatch component="span" color={hex} size={16} withShadow aria-hidden />
                    {NOTE_COLOR_NAMES[hex]}
                  </Group>
                }
              />
            ))}
          </SimpleGrid>
        </Radio.Group>
        <ScheduleFields
          at={when}
          zone={socialSet.timezone}
          disabled={pinned || !mayWrite}
          onChange={setWhen}
          onIncomplete={setUntimed}
        />
        {pinned && (
          <Text size="sm" c="dimmed">
            {before.type === 'RECURRING'
              ? 'One of a series of notes: its day stays, and changes are for this one only.'
              : 'It comes from another calendar, which says when it is.'}
          </Text>
        )}
        {!before && <RepeatFields repeat={repeat} max={MAX_OCCURRENCES} onChange={setRepeat} />}
        <Failure error={failure} />
        <Group justify="space-between">
          {before && mayWrite ? (
            <Button variant="subtle" color="red" onClick={() => void remove()}>
              Delete
            </Button>
          ) : (
            <span />
          )}
          <Group>
            <Button variant="default" onClick={onClose}>
              {mayWrite ? 'Cancel' : 'Close'}
            </Button>
            {mayWrite && (
              <Button
                type="submit"
                loading={saving}
                disabled={
                  length === 0 ||
                  length > MAX_CHARACTERS ||
                  untimed !== null ||
                  (repeat !== null && !isCount(repeat.occurrences, MAX_OCCURRENCES))
                }
              >
                Save
              </Button>
            )}
          </Group>
        </Group>
      </Stack>
    </form>
  )
}

/** What a note had, of the fields that were changed. */
function valuesOf(note: Note, change: Partial<Note>): Partial<Note> {
  return Object.fromEntries(Object.keys(change).map((name) => [name, note[name as keyof Note]]))
}
