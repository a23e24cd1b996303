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
import { type FormEvent, useEffect, useState } from 'react'
import type { MediaLibraryItem, SocialSet } from '#contract'
import { queryKeys } from '../api/query-keys.ts'
import { useMay } from '../api/session.ts'
import { Modal } from '../design/dialogs.tsx'
import { messageOf } from '../design/error-text.ts'
import { fieldErrors } from '../design/field-errors.ts'
import { EmptyState, ErrorState, LoadingRows } from '../design/states.tsx'
import { count } from '../design/words.ts'
import type { DraftMedia } from './draft.ts'
import { Thumbnail } from './media-fields.tsx'
import { importMedia, importQuery, isOver, mediaQuery } from './post-set-queries.ts'

interface MediaPickerProps {
  socialSet: SocialSet
  opened: boolean
  onClose: () => void
  onPick: (items: DraftMedia[]) => void
}

/** Chooses files from the library of a social set, or brings one in from its address. */
export function MediaPicker({ opened, onClose, ...rest }: MediaPickerProps) {
  return (
    <Modal opened={opened} onClose={onClose} title="Add images and videos" size="lg">
      <Picker {...rest} onClose={onClose} />
    </Modal>
  )
}

function Picker({ socialSet, onClose, onPick }: Omit<MediaPickerProps, 'opened'>) {
  const [page, setPage] = useState(1)
  const [chosen, setChosen] = useState<readonly MediaLibraryItem[]>([])
  const { data, error, refetch, isPending } = useQuery({
    ...mediaQuery(socialSet.id, page),
    placeholderData: keepPreviousData,
  })
  const mayImport = useMay('media:write')
  const toggle = (item: MediaLibraryItem) =>
    setChosen((now) => (now.some(({ id }) => id === item.id) ? now.filter(({ id }) => id !== item.id) : [...now, item]))
  return (
    <Stack>
      {mayImport && <ImportByAddress socialSet={socialSet} onReady={toggle} />}
      <Divider />
      {error ? (
        <ErrorState title="The library could not be loaded" error={error} onRetry={() => void refetch()} />
      ) : null}
      {isPending && <LoadingRows label="Loading the library…" />}
      {data?.data.length === 0 && (
        <EmptyState>The library of {socialSet.name} is empty. Import a file from its address.</EmptyState>
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
                aria-label={`${item.name}, ${item.type === 'VIDEO' ? 'video' : 'image'}, ${item.width} by ${item.height}`}
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
          getControlProps={(control) => ({ 'aria-label': `${control} page` })}
          getItemProps={(number) => ({ 'aria-label': `Page ${number}` })}
        />
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button
          disabled={chosen.length === 0}
          onClick={() => {
            onPick(chosen.map(draftMedia))
            onClose()
          }}
        >
          {chosen.length === 0 ? 'Add' : `Add ${count(chosen.length, 'file')}`}
        </Button>
      </Group>
    </Stack>
  )
}

function draftMedia({ id, type, thumbnailUrl, altText }: MediaLibraryItem): DraftMedia {
  return { mediaLibraryId: id, type, thumbnailUrl, altText: altText ?? '' }
}

/** Brings a file in from a public address and tells how far it is. */
function ImportByAddress({ socialSet, onReady }: { socialSet: SocialSet; onReady: (item: MediaLibraryItem) => void }) {
  const queryClient = useQueryClient()
  const [url, setUrl] = useState('')
  const [importId, setImportId] = useState<string | null>(null)
  const [refused, setRefused] = useState<string | null>(null)
  const { data: upload, error } = useQuery({ ...importQuery(importId ?? ''), enabled: importId !== null })
  const running = importId !== null && !isOver(upload) && !error

  useEffect(() => {
    if (upload?.status !== 'READY' || !upload.mediaLibraryId) return
    setImportId(null)
    setUrl('')
    void queryClient.invalidateQueries({ queryKey: queryKeys.media.all }).then(async () => {
      const { data } = await queryClient.fetchQuery(mediaQuery(socialSet.id, 1))
      const item = data.find(({ id }) => id === upload.mediaLibraryId)
      if (item) onReady(item)
    })
  }, [upload, queryClient, socialSet.id, onReady])

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setRefused(null)
    setImportId(null)
    try {
      const { id } = await importMedia(socialSet, url.trim())
      setImportId(id)
    } catch (error) {
      setRefused(fieldErrors(error).url ?? messageOf(error))
    }
  }
  return (
    <form onSubmit={(event) => void submit(event)}>
      <Group align="flex-end">
        <TextInput
          type="url"
          style={{ flex: 1 }}
          label="Import from an address"
          placeholder="https://example.com/photo.jpg"
          value={url}
          required
          disabled={running}
          error={refused}
          onChange={(event) => setUrl(event.currentTarget.value)}
        />
        <Button type="submit" variant="default" disabled={running || url.trim() === ''}>
          Import
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
            How far the import is cannot be told: {messageOf(error)}
          </Alert>
        )}
        {upload?.status === 'FAILED' && (
          <Alert color="red" mt="xs">
            {upload.error?.message ?? 'The file could not be imported.'}
          </Alert>
        )}
      </div>
    </form>
  )
}

function progress(received: number, total: number | null): string {
  if (received === 0) return 'Waiting for the file…'
  const megabytes = (bytes: number) => (bytes / 1_000_000).toFixed(1)
  return total === null
    ? `Fetching: ${megabytes(received)} MB`
    : `Fetching: ${megabytes(received)} of ${megabytes(total)} MB`
}
