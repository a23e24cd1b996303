import { ActionIcon, Badge, Button, Group, Paper, Stack, Text, TextInput } from '@mantine/core'
import { IconArrowLeft, IconArrowRight, IconPhotoPlus, IconVideo, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import type { SocialSet } from '#contract'
import { mediaAddress } from '../api/media-address.ts'
import { announce } from '../design/announce.tsx'
import type { DraftMedia } from './draft.ts'
import { MediaPicker } from './media-picker.tsx'

interface MediaFieldsProps {
  socialSet: SocialSet
  media: readonly DraftMedia[]
  error?: string | null
  onChange: (media: DraftMedia[]) => void
}

/** The files of a post, in their order, each with a text for who cannot see it. */
export function MediaFields({ socialSet, media, error = null, onChange }: MediaFieldsProps) {
  const [picking, setPicking] = useState(false)
  const move = (from: number, to: number) => {
    const next = [...media]
    const [item] = next.splice(from, 1)
    if (!item) return
    next.splice(to, 0, item)
    onChange(next)
    announce(`Moved to place ${to + 1} of ${next.length}.`)
  }
  const change = (index: number, altText: string) =>
    onChange(media.map((item, place) => (place === index ? { ...item, altText } : item)))
  return (
    <Stack gap="xs">
      <Group justify="space-between">
        <Text component="h3" size="sm" fw={600}>
          Images and videos
        </Text>
        <Button
          variant="default"
          size="compact-sm"
          leftSection={<IconPhotoPlus size={16} aria-hidden />}
          onClick={() => setPicking(true)}
        >
          Add
        </Button>
      </Group>
      {error && (
        <Text size="sm" c="var(--mantine-color-error)">
          {error}
        </Text>
      )}
      {media.length === 0 && (
        <Text size="sm" c="dimmed">
          None yet.
        </Text>
      )}
      <Stack component="ol" gap="xs" m={0} p={0} style={{ listStyle: 'none' }}>
        {media.map((item, index) => (
          // A file may stand in a post twice: only its place tells the two apart.
          // biome-ignore lint/suspicious/noArrayIndexKey: see above
          <Paper component="li" withBorder p="xs" key={`${item.mediaLibraryId} ${index}`}>
            <Group wrap="nowrap" align="flex-end" gap="sm">
              <Thumbnail item={item} size={56} />
              <TextInput
                style={{ flex: 1, minWidth: 0 }}
                size="sm"
                label={`Alt text of ${item.type === 'VIDEO' ? 'video' : 'image'} ${index + 1}`}
                value={item.altText}
                onChange={(event) => change(index, event.currentTarget.value)}
              />
              <Group gap={4} wrap="nowrap">
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  aria-label={`Move ${index + 1} to the front`}
                  disabled={index === 0}
                  onClick={() => move(index, index - 1)}
                >
                  <IconArrowLeft size={18} aria-hidden />
                </ActionIcon>
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  aria-label={`Move ${index + 1} to the back`}
                  disabled={index === media.length - 1}
                  onClick={() => move(index, index + 1)}
                >
                  <IconArrowRight size={18} aria-hidden />
                </ActionIcon>
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  aria-label={`Take ${index + 1} out`}
                  onClick={() => onChange(media.filter((_, place) => place !== index))}
                >
                  <IconX size={18} aria-hidden />
                </ActionIcon>
              </Group>
            </Group>
          </Paper>
        ))}
      </Stack>
      <MediaPicker
        socialSet={socialSet}
        opened={picking}
        onClose={() => setPicking(false)}
        onPick={(items) => onChange([...media, ...items])}
      />
    </Stack>
  )
}

/** A small picture of a file; what it is stands beside or in its label. */
export function Thumbnail({
  item,
  size,
}: {
  item: Pick<DraftMedia, 'type' | 'thumbnailUrl' | 'altText'>
  size: number
}) {
  const source = item.thumbnailUrl && mediaAddress(item.thumbnailUrl)
  if (source) {
    return (
      <img
        src={source}
        alt={item.altText}
        width={size}
        height={size}
        loading="lazy"
        style={{ objectFit: 'cover', borderRadius: 'var(--mantine-radius-sm)', flex: 'none' }}
      />
    )
  }
  return (
    <Badge variant="light" color="gray" radius="sm" h={size} w={size} px={4} flex="none">
      {item.type === 'VIDEO' ? <IconVideo aria-label="Video" size={20} role="img" /> : 'Image'}
    </Badge>
  )
}
