import * as LIMITS from '#contract/limits'
import { lazyWithWords } from '../api/code.ts'
import '../design/more-styles.ts'
import { Trans, useLingui } from '@lingui/react/macro'
import { Alert, Button, Group, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { IconDownload, IconReplace, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { LibraryFile, MediaLibraryItem, SocialSet } from '#contract'
import { change } from '../api/change.ts'
import { mediaAddress } from '../api/media-address.ts'
import { useMay, usePreferences } from '../api/session.ts'
import { Modal } from '../design/dialogs.tsx'
import { Form, useForm } from '../design/form.tsx'
import { Part } from '../design/part.tsx'
import { showDone } from '../design/toast.tsx'
import { AgentLine } from '../planning/posts/agent-line.tsx'
import { formatDateTime } from '../time/zones.ts'
import { deleteFiles, restoreFiles } from './delete-files.ts'
import { FileLabels } from './file-labels.tsx'
import { FileUses } from './file-uses.tsx'
import { factsText, fillsWords } from './file-words.ts'
import classes from './library.module.css'
import { usesQuery } from './library-queries.ts'

const LibraryDocument = lazyWithWords(() =>
  import('./library-document.tsx').then(({ LibraryDocument }) => ({ default: LibraryDocument })),
)

type Viewed = MediaLibraryItem & Partial<Pick<LibraryFile, 'deletedAt' | 'fills'>>

interface FileViewProps {
  /** Null: none is looked at. */
  file: Viewed | null
  socialSet: SocialSet
  /** Puts another file in its place where it is used. */
  onReplace?: ((file: Viewed) => void) | undefined
  onClose: () => void
}

/** A file as large as there is room: what it is called, its alternative text, where it is used. */
export function FileView({ file, onClose, ...rest }: FileViewProps) {
  return (
    <Modal opened={file !== null} onClose={onClose} size={980} title={<span dir="auto">{file?.name}</span>}>
      {file && <Viewed key={file.id} file={file} onClose={onClose} {...rest} />}
    </Modal>
  )
}

function Viewed({ file, socialSet, onReplace, onClose }: FileViewProps & { file: Viewed }) {
  const preferences = usePreferences()
  const mayChange = useMay('media:write')
  const [blocked, setBlocked] = useState(false)
  const [busy, setBusy] = useState(false)
  const deleted = (file.deletedAt ?? null) !== null
  const { data: uses } = useQuery({ ...usesQuery(file.id), enabled: !deleted })
  const added = formatDateTime(file.createdAt, socialSet.timezone, preferences)
  const remove = async () => {
    setBusy(true)
    const inUse = await deleteFiles([file])
    setBusy(false)
    if (inUse.length > 0) setBlocked(true)
    else onClose()
  }
  const restore = async () => {
    setBusy(true)
    await restoreFiles([file]).finally(() => setBusy(false))
    onClose()
  }
  return (
    <div className={classes.large}>
      <div className={classes.largePicture}>
        <Large file={file} />
      </div>
      <Stack gap="md">
        {mayChange && !deleted ? <Described file={file} /> : <Text>{file.altText}</Text>}
        <Text size="sm" c="dimmed">
          {factsText(file)}
          <br />
          {file.fills && file.fills.length > 0 && (
            <>
              {fillsWords({ fills: file.fills })}
              <br />
            </>
          )}
          <Trans>Added {added}</Trans>
        </Text>
        <AgentLine agent={uses?.agent} />
        {!deleted && <FileLabels file={file} />}
        {blocked && (
          <Alert color="yellow" role="alert">
            <Trans>
              The file is in a draft or scheduled post, so it cannot be deleted. Replace it, or take it out of these
              first.
            </Trans>
          </Alert>
        )}
        {!deleted && (
          <section>
            <Text component="h3" size="sm" fw={600} m={0} mb={6}>
              <Trans>Where it is used</Trans>
            </Text>
            <FileUses fileId={file.id} socialSet={socialSet} blocking={blocked} />
          </section>
        )}
        <Group gap="xs">
          <Button
            component="a"
            variant="default"
            leftSection={<IconDownload size={16} aria-hidden />}
            href={mediaAddress(file.url) ?? undefined}
            download={file.name}
          >
            <Trans>Download</Trans>
          </Button>
          {onReplace && !deleted && (
            <Button
              variant="default"
              leftSection={<IconReplace size={16} aria-hidden />}
              onClick={() => onReplace(file)}
            >
              <Trans>Replace…</Trans>
            </Button>
          )}
          {mayChange && !deleted && (
            <Button
              variant="default"
              loading={busy}
              leftSection={<IconTrash size={16} aria-hidden />}
              onClick={() => void remove()}
            >
              <Trans>Delete</Trans>
            </Button>
          )}
          {mayChange && deleted && (
            <Button loading={busy} onClick={() => void restore()}>
              <Trans>Restore</Trans>
            </Button>
          )}
        </Group>
      </Stack>
    </div>
  )
}

function Large({ file }: { file: MediaLibraryItem }) {
  const source = mediaAddress(file.url) ?? undefined
  if (file.type === 'DOCUMENT') {
    return (
      <Part>
        <LibraryDocument file={file} />
      </Part>
    )
  }
  if (file.type === 'IMAGE') return <img src={source} alt={file.altText ?? file.name} />
  return (
    // biome-ignore lint/a11y/useMediaCaption: what is said in it is in the video itself
    <video
      src={source}
      controls
      preload="none"
      poster={(file.thumbnailUrl && mediaAddress(file.thumbnailUrl)) ?? undefined}
    />
  )
}

/** Name and alternative text, kept for the next use. */
function Described({ file }: { file: MediaLibraryItem }) {
  const { t } = useLingui()
  const form = useForm({
    initial: { name: file.name, altText: file.altText ?? '' },
    async send({ name, altText }) {
      const body = { name: name.trim(), altText: altText.trim() || null }
      await change('PATCH /media-library/:id', { params: { id: file.id }, body })
      showDone(t`Saved.`)
    },
  })
  const { name, altText } = form.values
  const changed = name.trim() !== file.name || altText.trim() !== (file.altText ?? '')
  return (
    <Form form={form}>
      <TextInput label={t`Name`} maxLength={LIMITS.nameCodePoints} dir="auto" {...form.text('name')} />
      <Textarea
        label={t`Alt text`}
        description={t`For people who cannot see it. Posts get it when you add the file.`}
        autosize
        minRows={2}
        maxRows={6}
        dir="auto"
        {...form.text('altText')}
      />
      <Group>
        <Button type="submit" variant="default" loading={form.busy} disabled={!changed}>
          <Trans>Save</Trans>
        </Button>
      </Group>
    </Form>
  )
}
