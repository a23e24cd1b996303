import '../design/more-styles.ts'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Alert, Button, Group, Text, Textarea } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { Note, NoteColor, Repeat, SocialSet } from '#contract'
import * as LIMITS from '#contract/limits'
import { hasCode } from '../api/api-error.ts'
import { readAgain } from '../api/change.ts'
import { call } from '../api/client.ts'
import { differences } from '../api/differences.ts'
import { queryKeys } from '../api/query-keys.ts'
import { useMay, usePreferences } from '../api/session.ts'
import { useConfirmAction } from '../design/confirm.tsx'
import { Failure } from '../design/confirm-action.tsx'
import { Modal } from '../design/dialogs.tsx'
import { Form, useForm } from '../design/form.tsx'
import { EmptyState, ErrorState, LoadingRows } from '../design/states.tsx'
import { showDone, showError, showUndo } from '../design/toast.tsx'
import { dayOf, startOfDay, today } from '../planning/dates/dates.ts'
import { isStartOfDay } from '../planning/dates/note-time.ts'
import { isCount, RepeatFields } from '../planning/dates/repeat-fields.tsx'
import { NoteColorField } from '../planning/labels/note-color-field.tsx'
import { NOTE_COLORS } from '../planning/labels/note-colors.ts'
import { AgentLine } from '../planning/posts/agent-line.tsx'
import { formatDate } from '../time/zones.ts'
import { NoteWhen } from './note-when.tsx'

const MAX_CHARACTERS = LIMITS.noteCodePoints.max

interface NoteEditorProps {
  socialSet: SocialSet
  /** The note that is changed; null for a new one. */
  noteId: string | null
  /** When a new note is pinned to; ISO 8601 in UTC, the start of a day for one without a time. */
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
      title: t`Close without saving?`,
      children: t`What you wrote will be lost.`,
      confirmLabel: t`Close`,
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
      title={props.noteId ? t`Note` : t`New note`}
      size="md"
      closeButtonProps={{ 'aria-label': t`Close` }}
    >
      {props.noteId ? <KnownNote {...form} noteId={props.noteId} /> : <NoteForm {...form} before={null} />}
    </Modal>
  )
}

interface NoteFormProps extends NoteEditorProps {
  /** Whether something would be lost. */
  onChanged: (changed: boolean) => void
}

function KnownNote({ noteId, ...props }: NoteFormProps & { noteId: string }) {
  // The form keeps what it begins with: what was read before it was opened may have been changed since.
  const { data, error, refetch, isFetchedAfterMount } = useQuery({
    queryKey: queryKeys.notes.one(noteId),
    queryFn: ({ signal }) => call('GET /notes/:id', { params: { id: noteId }, signal }),
    refetchOnMount: 'always',
  })
  if (error && !data && hasCode(error, 'note:not_found')) {
    return (
      <EmptyState
        action={
          <Button onClick={props.onClose}>
            <Trans>Back to the calendar</Trans>
          </Button>
        }
      >
        <Trans>This note does not exist. It was deleted, or you do not have access to it.</Trans>
      </EmptyState>
    )
  }
  if (error && !data)
    return <ErrorState title={t`The note could not be loaded`} error={error} onRetry={() => void refetch()} />
  if (!data || !isFetchedAfterMount) return <LoadingRows rows={3} label={t`Loading the note…`} />
  return <NoteForm {...props} key={noteId} noteId={noteId} before={data} />
}

interface NoteValues {
  content: string
  hexColor: NoteColor
  scheduledAt: string
  repeat: Repeat | null
}

function NoteForm({ socialSet, before: read, at, onClose, onChanged }: NoteFormProps & { before: Note | null }) {
  // What was read when it was opened: what others change meanwhile is not taken back.
  const [before] = useState(read)
  const preferences = usePreferences()
  const mayWrite = useMay('notes:write')
  const zone = socialSet.timezone
  const initial: NoteValues = {
    content: before?.content ?? '',
    hexColor: before?.hexColor ?? NOTE_COLORS[0] ?? '#faf785',
    scheduledAt: before?.scheduledAt ?? at ?? startOfDay(today(zone), zone),
    repeat: null,
  }
  const form = useForm({ initial, send: (values) => save(values) })
  const { content, hexColor, scheduledAt, repeat } = form.values
  const [untimed, setUntimed] = useState<string | null>(null)
  const pinned = before !== null && (before.type === 'RECURRING' || before.source.type === 'GOOGLE_IMPORT')
  const length = [...content].length
  const written = { content, hexColor, ...(pinned ? {} : { scheduledAt }) }
  const change: Partial<Note> = before ? differences<Partial<Note>>(written, before) : written
  const dirty = before ? Object.keys(change).length > 0 : content !== ''
  useEffect(() => onChanged(dirty), [dirty, onChanged])

  // What is open here is not asked for again: it may have been deleted just now.
  const reload = () => readAgain('PATCH /notes/:id', ['notes'])
  const save = async ({ scheduledAt: when, repeat }: NoteValues) => {
    const message = t`Note saved for ${formatDate(when, zone, preferences)}.`
    if (before) {
      await call('PATCH /notes/:id', { params: { id: before.id }, body: change })
      const undo = async () => {
        await call('PATCH /notes/:id', { params: { id: before.id }, body: valuesOf(before, change) })
        await reload()
      }
      if (dirty) showUndo({ message, undo })
    } else {
      const repeats = repeat ? { repeat } : {}
      // By its day, the others of a series are at the start of theirs where the clocks skip the first one's midnight.
      const on = isStartOfDay(when, zone) ? dayOf(when, zone) : when
      await call('POST /notes', { body: { socialSetId: socialSet.id, ...written, scheduledAt: on, ...repeats } })
      showDone(message)
    }
    await reload()
    onClose()
  }
  const remove = async () => {
    if (!before) return
    try {
      await call('DELETE /notes/:id', { params: { id: before.id } })
      await reload()
      showUndo({
        message: t`Note deleted.`,
        undo: async () => {
          await call('POST /notes/:id/restore', { params: { id: before.id } })
          await reload()
        },
      })
      onClose()
    } catch (error) {
      showError(error)
    }
  }
  return (
    <Form form={form}>
      {!mayWrite && (
        <Alert color="gray">
          <Trans>Your role can read notes but not change them.</Trans>
        </Alert>
      )}
      <Textarea
        label={t`Text`}
        {...form.text('content')}
        required
        withAsterisk
        autosize
        minRows={3}
        maxRows={10}
        disabled={!mayWrite}
        data-autofocus
        error={
          length > MAX_CHARACTERS
            ? plural(length - MAX_CHARACTERS, {
                one: 'Shorten it by # character.',
                other: 'Shorten it by # characters.',
              })
            : form.wrong.content
        }
      />
      <NoteColorField
        label={t`Color`}
        value={hexColor}
        disabled={!mayWrite}
        onChange={(color) => form.set('hexColor', color)}
      />
      <NoteWhen
        at={scheduledAt}
        zone={zone}
        disabled={pinned || !mayWrite}
        error={form.wrong.scheduledAt ?? null}
        onChange={(instant) => form.set('scheduledAt', instant)}
        onIncomplete={setUntimed}
      />
      {pinned && (
        <Text size="sm" c="dimmed">
          {before.type === 'RECURRING'
            ? t`This note is part of a series: its day is fixed, and changes affect only this note.`
            : t`This note comes from another calendar, which decides its date.`}
        </Text>
      )}
      {before && <MadeByAgent noteId={before.id} />}
      {!before && (
        <RepeatFields repeat={repeat} counts={LIMITS.noteOccurrences} onChange={(next) => form.set('repeat', next)} />
      )}
      <Failure error={form.rest} />
      <Group justify="space-between" data-form-buttons>
        {before && mayWrite ? (
          <Button variant="subtle" color="red" onClick={() => void remove()}>
            <Trans>Delete</Trans>
          </Button>
        ) : (
          <span />
        )}
        <Group>
          <Button variant="default" onClick={onClose}>
            {mayWrite ? t`Cancel` : t`Close`}
          </Button>
          {mayWrite && (
            <Button
              type="submit"
              loading={form.busy}
              disabled={
                length === 0 ||
                length > MAX_CHARACTERS ||
                untimed !== null ||
                (repeat !== null && !isCount(repeat.occurrences, LIMITS.noteOccurrences))
              }
            >
              <Trans>Save</Trans>
            </Button>
          )}
        </Group>
      </Group>
    </Form>
  )
}

function MadeByAgent({ noteId }: { noteId: string }) {
  const { data } = useQuery({
    queryKey: queryKeys.noteAgent(noteId),
    queryFn: ({ signal }) => call('GET /notes/:id/agent', { params: { id: noteId }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })
  return <AgentLine agent={data?.agent} />
}

/** What a note had, of the fields that were changed. */
function valuesOf(note: Note, change: Partial<Note>): Partial<Note> {
  return Object.fromEntries(Object.keys(change).map((name) => [name, note[name as keyof Note]]))
}
