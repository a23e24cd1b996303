import { t } from '@lingui/core/macro'
import { Radio, Stack, TextInput } from '@mantine/core'
import type { ImportedCalendar, NoteColor, SocialSet } from '#contract'
import * as LIMITS from '#contract/limits'
import { ApiError } from '../api/api-error.ts'
import { Failure } from '../design/confirm-action.tsx'
import { Modal } from '../design/dialogs.tsx'
import { Form, FormButtons, useForm } from '../design/form.tsx'
import { showDone } from '../design/toast.tsx'
import { useIsWide } from '../frame/use-is-wide.ts'
import { NoteColorField } from '../planning/labels/note-color-field.tsx'
import { NOTE_COLORS } from '../planning/labels/note-colors.ts'
import { addCalendar, changeCalendar } from './calendars-requests.ts'

const NAME_LIMIT = LIMITS.nameCodePoints

interface CalendarValues {
  name: string
  source: 'ADDRESS' | 'FILE'
  url: string
  file: File | null
  hexColor: NoteColor
}

/** Adds a calendar of others to a brand. */
export function AddCalendarDialog({ socialSet, onClose }: { socialSet: SocialSet; onClose: () => void }) {
  const [first = '#faf785'] = NOTE_COLORS
  return (
    <CalendarDialog
      title={t`Add a calendar to ${socialSet.name}`}
      initial={{ name: '', source: 'ADDRESS', url: '', file: null, hexColor: first }}
      submitLabel={t`Add calendar`}
      onSubmit={async ({ name, hexColor, source, url, file }) => {
        const about = { socialSetId: socialSet.id, name, hexColor }
        await (source === 'FILE' && file ? addCalendar(about, file) : addCalendar({ ...about, url }))
        showDone(t`Added: ${name}`)
      }}
      onClose={onClose}
    />
  )
}

/** Changes what a calendar is called, its color, and where it comes from. */
export function EditCalendarDialog({ calendar, onClose }: { calendar: ImportedCalendar; onClose: () => void }) {
  const { id, name, hexColor, source } = calendar
  return (
    <CalendarDialog
      title={t`Edit “${name}”`}
      present={calendar}
      initial={{ name, source, url: '', file: null, hexColor }}
      submitLabel={t`Save changes`}
      onSubmit={async ({ url, file, ...values }) => {
        const about = { name: values.name, hexColor: values.hexColor }
        await (file ? changeCalendar(id, about, file) : changeCalendar(id, url ? { ...about, url } : about))
        showDone(t`Saved: ${values.name}`)
      }}
      onClose={onClose}
    />
  )
}

interface CalendarDialogProps {
  title: string
  initial: CalendarValues
  /** The calendar that is changed: its address or file stays unless another is given. */
  present?: ImportedCalendar
  submitLabel: string
  /** What it throws is shown in the form. */
  onSubmit: (values: CalendarValues) => Promise<void>
  onClose: () => void
}

function CalendarDialog({ title, initial, present, submitLabel, onSubmit, onClose }: CalendarDialogProps) {
  const wide = useIsWide()
  const form = useForm<CalendarValues>({
    initial,
    check: {
      name: nameProblem,
      url: (url, { source }) =>
        source === 'ADDRESS' && !present && url.trim() === '' ? t`Enter the address of the calendar.` : null,
      file: (file, { source }) => {
        if (source !== 'FILE') return null
        if (!file) return present ? null : t`Choose a file.`
        return file.size > LIMITS.calendarBytes ? t`The file has more than 10 MB. Export a shorter time.` : null
      },
    },
    async send({ name, url, ...values }) {
      await onSubmit({ ...values, name: name.trim(), url: url.trim() })
      onClose()
    },
    explain: (error) => {
      const about = error instanceof ApiError ? error.errors.find(({ path }) => path === 'file') : undefined
      return about ? { file: about.message } : {}
    },
  })
  const { source } = form.values
  const fileInput = form.idOf('file')
  return (
    <Modal
      opened
      onClose={() => !form.busy && onClose()}
      title={title}
      size="lg"
      fullScreen={!wide}
      returnFocus={false}
      transitionProps={{ duration: 0 }}
      closeOnClickOutside={false}
    >
      <Form form={form}>
        <TextInput
          label={t`Name`}
          description={t`Such as “Public holidays”. It is shown here alone.`}
          autoComplete="off"
          data-autofocus
          {...form.text('name')}
        />
        {!present && (
          <Radio.Group
            label={t`Where it comes from`}
            value={source}
            onChange={(value) => form.set('source', value === 'FILE' ? 'FILE' : 'ADDRESS')}
          >
            <Stack gap="xs" mt={6}>
              <Radio value="ADDRESS" label={t`An address`} description={t`Read again every 30 minutes.`} />
              <Radio value="FILE" label={t`A file`} description={t`Read once. Add a newer file when it changes.`} />
            </Stack>
          </Radio.Group>
        )}
        {source === 'ADDRESS' ? (
          <TextInput
            label={present ? t`New address` : t`Address`}
            description={
              present
                ? t`Leave it empty to keep the present one.`
                : t`The iCal address: it begins with https or webcal, and often ends with .ics. It is kept secret.`
            }
            type="url"
            inputMode="url"
            autoComplete="off"
            spellCheck={false}
            {...form.text('url')}
            required={!present}
          />
        ) : (
          <TextInput
            id={fileInput}
            type="file"
            accept=".ics,.ical,.ifb,text/calendar"
            label={present ? t`Newer file` : t`File`}
            description={
              present ? t`Leave it empty to keep the present one.` : t`A calendar file (.ics) of at most 10 MB.`
            }
            required={!present}
            withAsterisk={false}
            error={form.wrong.file}
            aria-invalid={form.wrong.file ? true : undefined}
            onChange={({ currentTarget: { files } }) => form.set('file', files?.[0] ?? null)}
          />
        )}
        <NoteColorField
          label={t`Color of its notes`}
          value={form.values.hexColor}
          onChange={(color) => form.set('hexColor', color)}
        />
        <Failure error={form.rest} />
        <FormButtons form={form} submit={submitLabel} onCancel={onClose} />
      </Form>
    </Modal>
  )
}

function nameProblem(name: string): string | null {
  const length = [...name.trim()].length
  if (length === 0) return t`Enter a name.`
  return length > NAME_LIMIT ? t`Shorten the name to ${NAME_LIMIT} characters.` : null
}
