import { t } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { Alert, Button, Group, Loader, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { SocialSet } from '#contract'
import { readAgain } from '../api/change.ts'
import { messageOf } from '../design/error-text.ts'
import { fieldErrors } from '../design/field-errors.ts'
import { Form, useForm } from '../design/form.tsx'
import { wordsOfProblem } from '../language/server-words.ts'
import { importMedia, importQuery, isOver } from './library-queries.ts'

const EXAMPLE = 'https://example.com/photo.jpg'

/** Brings a file in from a public address and shows how far it is. */
export function ImportByAddress({ socialSet, onReady }: { socialSet: SocialSet; onReady: (id: string) => void }) {
  const { t } = useLingui()
  const [importId, setImportId] = useState<string | null>(null)
  const form = useForm({
    initial: { url: '' },
    async send({ url }) {
      setImportId(null)
      const { id } = await importMedia(socialSet, url.trim())
      setImportId(id)
    },
    explain: (error) => ({ url: fieldErrors(error).url ?? messageOf(error) }),
  })
  const { reset } = form
  const { data: upload, error } = useQuery({ ...importQuery(importId ?? ''), enabled: importId !== null })
  const running = importId !== null && !isOver(upload) && !error

  useEffect(() => {
    if (upload?.status !== 'READY' || !upload.mediaLibraryId) return
    const { mediaLibraryId } = upload
    setImportId(null)
    reset()
    void readAgain('POST /media-upload').then(() => onReady(mediaLibraryId))
  }, [upload, onReady, reset])

  return (
    <Form form={form} gap={0}>
      <Group align="flex-end">
        <TextInput
          type="url"
          style={{ flex: 1 }}
          label={t`Import from an address`}
          placeholder={EXAMPLE}
          {...form.text('url')}
          disabled={running}
        />
        <Button type="submit" variant="default" loading={form.busy} disabled={running || form.values.url.trim() === ''}>
          <Trans>Import</Trans>
        </Button>
      </Group>
      <div role="status">
        {running && (
          <Group gap="xs" mt="xs">
            <Loader size="xs" aria-hidden />
            <Text size="sm">{progress(upload?.bytesReceived ?? 0, upload?.bytesTotal ?? null)}</Text>
          </Group>
        )}
        {error && (
          <Alert color="red" mt="xs">
            <Trans>It is not known how far the import is.</Trans> {messageOf(error)}
          </Alert>
        )}
        {upload?.status === 'FAILED' && (
          <Alert color="red" mt="xs">
            {upload.error ? wordsOfProblem(upload.error) : t`The file could not be imported.`}
          </Alert>
        )}
      </div>
    </Form>
  )
}

function progress(received: number, total: number | null): string {
  if (received === 0) return t`Waiting for the file…`
  const megabytes = (bytes: number) => (bytes / 1_000_000).toFixed(1)
  const part = megabytes(received)
  const whole = total === null ? null : megabytes(total)
  return whole === null ? t`Fetching: ${part} MB` : t`Fetching: ${part} of ${whole} MB`
}
