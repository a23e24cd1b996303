import { t } from '@lingui/core/macro'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import type { SocialSet, UnfinishedUpload } from '#contract'
import { readAgain } from '../api/change.ts'
import { useConfirmAction } from '../design/confirm.tsx'
import { messageOf } from '../design/error-text.ts'
import { RelativeTime } from '../design/relative-time.tsx'
import { progressWords } from '../uploads/refusals.ts'
import { endUpload, unfinishedQuery } from './library-queries.ts'

/** Uploads into the library of a brand that stopped or go on, of everybody: each counts for who began it until it is ended. */
export function UnfinishedUploads({ socialSet }: { socialSet: SocialSet }) {
  const { data = [] } = useQuery(unfinishedQuery(socialSet.id))
  if (data.length === 0) return null
  return (
    <section>
      <Text component="h3" size="sm" fw={600} m={0}>
        <Plural value={data.length} one="# unfinished upload" other="# unfinished uploads" />
      </Text>
      <Stack component="ul" gap="xs" m={0} mt="xs" p={0} style={{ listStyle: 'none' }}>
        {data.map((upload) => (
          <Row key={upload.id} upload={upload} />
        ))}
      </Stack>
    </section>
  )
}

function Row({ upload }: { upload: UnfinishedUpload }) {
  const { t } = useLingui()
  const confirm = useConfirmAction()
  const ending = useMutation({
    mutationFn: () => endUpload(upload.id),
    onSettled: () => readAgain('DELETE /media-upload/:id'),
  })
  const name = upload.name ?? t`A file without a name`
  const end = async () => {
    const sure =
      upload.mine ||
      (await confirm({
        title: t`End the upload of ${name}?`,
        children: t`It may be someone else’s and still be going on. What has arrived so far is deleted.`,
        confirmLabel: t`End the upload`,
        danger: true,
        run: async () => {},
      }))
    if (sure) ending.mutate()
  }
  return (
    <li>
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          <b dir="auto">{name}</b>: {howFar(upload)}, {whose(upload)}, <RelativeTime instant={upload.receivedAt} />
        </Text>
        <Button
          variant="default"
          size="compact-sm"
          loading={ending.isPending}
          aria-label={t`End the upload of ${name}`}
          onClick={() => void end()}
        >
          <Trans>End</Trans>
        </Button>
      </Group>
      {ending.error && (
        <Alert color="red" mt="xs">
          {messageOf(ending.error)}
        </Alert>
      )}
    </li>
  )
}

function whose({ mine, by: author }: UnfinishedUpload): string {
  if (mine) return t`yours`
  return author === null ? t`begun before an update` : t`by ${author}`
}

function howFar({ bytesReceived, bytesTotal }: UnfinishedUpload): string {
  if (bytesTotal !== null) return progressWords(bytesReceived, bytesTotal)
  const part = (bytesReceived / 1_000_000).toFixed(1)
  return t`${part} MB`
}
