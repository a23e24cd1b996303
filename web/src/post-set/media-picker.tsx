import { t } from '@lingui/core/macro'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import {
  Alert,
  Button,
  Checkbox,
  Divider,
  Group,
  Loader,
  Pagination,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
} from '@mantine/core'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { MediaLibraryItem, SocialSet } from '#contract'
import { readAgain } from '../api/change.ts'
import { useMay } from '../api/session.ts'
import { Modal } from '../design/dialogs.tsx'
import { messageOf } from '../design/error-text.ts'
import { fieldErrors } from '../design/field-errors.ts'
import { Form, useForm } from '../design/form.tsx'
import { EmptyState, ErrorState, LoadingRows } from '../design/states.tsx'
import { wordsOfProblem } from '../language/server-words.ts'
import { type DraftMedia, newMedia } from './draft.ts'
import { importMedia, importQuery, isOver, mediaQuery } from './post-set-queries.ts'
import { Thumbnail } from './thumbnail.tsx'
import { UnfinishedUploads } from './unfinished-uploads.tsx'

const EXAMPLE = 'https://example.com/photo.jpg'

interface MediaPickerProps {
  socialSet: SocialSet
  opened: boolean
  onClose: () => void
  onPick: (items: DraftMedia[]) => void
}

/** Chooses files from the library of a brand, or brings one in from its address. */
export function MediaPicker({ opened, onClose, ...rest }: MediaPickerProps) {
  const { t } = useLingui()
  return (
    <Modal opened={opened} onClose={onClose} title={t`Add pictures and videos`} size="lg">
      <Picker {...rest} onClose={onClose} />
    </Modal>
  )
}

function Picker({ socialSet, onClose, onPick }: Omit<MediaPickerProps, 'opened'>) {
  const { t } = useLingui()
  const [page, setPage] = useState(1)
  const [chosen, setChosen] = useState<readonly MediaLibraryItem[]>([])
  const { data, error, refetch, isPending } = useQuery({
    ...mediaQuery(socialSet.id, page),
    placeholderData: keepPreviousData,
  })
  const { name } = socialSet
  const mayImport = useMay('media:write')
  const toggle = (item: MediaLibraryItem) =>
    setChosen((now) => (now.some(({ id }) => id === item.id) ? now.filter(({ id }) => id !== item.id) : [...now, item]))
  return (
    <Stack>
      {mayImport && <ImportByAddress socialSet={socialSet} onReady={toggle} />}
      {mayImport && <UnfinishedUploads socialSet={socialSet} />}
      <Divider />
      {error ? (
        <ErrorState title={t`The library could not be loaded`} error={error} onRetry={() => void refetch()} />
      ) : null}
      {isPending && <LoadingRows label={t`Loading the library…`} />}
      {data?.data.length === 0 && (
        <EmptyState>
          <Trans>The library of {name} is empty. Choose files of this computer, or import one from its address.</Trans>
        </EmptyState>
      )}
      {data && data.data.length > 0 && (
        <SimpleGrid cols={{ base: 2, sm: 3 }} component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
          {data.data.map((item) => (
            <li key={item.id}>
              <Checkbox.Card
                p="xs"
                radius="md"
                checked={chosen.some(({ id }) => id === item.id)}
                onClick={() => toggle(item)}
                aria-label={fileWords(item)}
              >
                <Group wrap="nowrap" gap="xs">
                  <Checkbox.Indicator />
                  <Thumbnail item={{ ...item, altText: '' }} size={64} />
                  <Text size="xs" lineClamp={3} style={{ overflowWrap: 'anywhere' }}>
                    {item.name}
                  </Text>
                </Group>
              </Checkbox.Card>
            </li>
          ))}
        </SimpleGrid>
      )}
      {data && data.pagination.totalPages > 1 && (
        <Pagination
          total={data.pagination.totalPages}
          value={page}
          onChange={setPage}
          getControlProps={(control) => ({ 'aria-label': control === 'next' ? t`Next page` : t`Previous page` })}
          getItemProps={(number) => ({ 'aria-label': t`Page ${number}` })}
        />
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          <Trans>Cancel</Trans>
        </Button>
        <Button
          disabled={chosen.length === 0}
          onClick={() => {
            onPick(chosen.map(newMedia))
            onClose()
          }}
        >
          {chosen.length === 0 ? (
            <Trans>Add</Trans>
          ) : (
            <Plural value={chosen.length} one="Add # file" other="Add # files" />
          )}
        </Button>
      </Group>
    </Stack>
  )
}

function fileWords({ name, type, width, height }: MediaLibraryItem): string {
  return type === 'VIDEO' ? t`${name}, video, ${width} by ${height}` : t`${name}, picture, ${width} by ${height}`
}

/** Brings a file in from a public address and shows how far it is. */
function ImportByAddress({ socialSet, onReady }: { socialSet: SocialSet; onReady: (item: MediaLibraryItem) => void }) {
  const { t } = useLingui()
  const queryClient = useQueryClient()
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
    setImportId(null)
    reset()
    void readAgain('POST /media-upload').then(async () => {
      const { data } = await queryClient.fetchQuery(mediaQuery(socialSet.id, 1))
      const item = data.find(({ id }) => id === upload.mediaLibraryId)
      if (item) onReady(item)
    })
  }, [upload, queryClient, socialSet.id, onReady, reset])

  return (
    <Form form={form} gap={0}>
      <Group align="flex-end">
        <TextInput
          type="url"
          style={{ flex: 1 }}
          label={t`Import from an address`}
          placeholder={EXAMPLE}
          {...form.text('url')}
          required
          withAsterisk
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
