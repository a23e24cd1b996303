import { lazyWithWords } from '../api/code.ts'
import '../design/more-styles.ts'
import { Trans, useLingui } from '@lingui/react/macro'
import { ActionIcon, Button, Group, SegmentedControl, Stack, Textarea } from '@mantine/core'
import { IconArrowLeft, IconArrowRight, IconChevronLeft, IconChevronRight, IconTrash } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { mediaAddress } from '../api/media-address.ts'
import { Modal } from '../design/dialogs.tsx'
import { Part } from '../design/part.tsx'
import type { DraftMedia } from './draft-shape.ts'
import { PeopleTags } from './people-tags.tsx'

const CropField = lazyWithWords(() => import('./crop-field.tsx').then(({ CropField }) => ({ default: CropField })))

const DocumentPreview = lazyWithWords(() =>
  import('./document-preview.tsx').then(({ DocumentPreview }) => ({ default: DocumentPreview })),
)

interface MediaDetailsProps {
  item: DraftMedia
  /** Its place, from 1. */
  number: number
  all: number
  onChange: (change: Partial<DraftMedia>) => void
  onMove: (by: 1 | -1) => void
  /** Shows the file before or after it; absent where there is none. */
  onEarlier: (() => void) | undefined
  onLater: (() => void) | undefined
  onRemove: () => void
  onClose: () => void
}

/** One file of a post: alt text, crop, people, order. What is changed is the post's; the file stays as it is. */
export function MediaDetails(props: MediaDetailsProps) {
  const { item, number, all, onChange, onMove, onEarlier, onLater, onRemove, onClose } = props
  const { t } = useLingui()
  const [view, setView] = useState('crop')
  const altText = useRef<HTMLTextAreaElement>(null)
  // Who goes on to another file goes on describing.
  const { uid } = item
  const opened = useRef(uid)
  useEffect(() => {
    if (opened.current !== uid) altText.current?.focus()
    opened.current = uid
  }, [uid])
  const title = {
    VIDEO: t`Video ${number} of ${all}`,
    IMAGE: t`Picture ${number} of ${all}`,
    DOCUMENT: t`Document ${number} of ${all}`,
  }[item.type]
  return (
    <Modal opened onClose={onClose} size="lg" title={title}>
      <Stack>
        {item.type !== 'DOCUMENT' && (
          <Textarea
            label={t`Alt text`}
            description={t`For people who cannot see it: what is on it, in a sentence.`}
            ref={altText}
            autosize
            minRows={2}
            maxRows={6}
            dir="auto"
            data-autofocus
            value={item.altText}
            onChange={(event) => onChange({ altText: event.currentTarget.value })}
          />
        )}
        {item.type === 'DOCUMENT' && (
          <Part>
            <DocumentPreview key={uid} media={[item]} title="" />
          </Part>
        )}
        {item.type === 'VIDEO' && (
          // biome-ignore lint/a11y/useMediaCaption: what is said in it is in the video itself
          <video
            key={uid}
            src={(item.url && mediaAddress(item.url)) ?? undefined}
            controls
            preload="none"
            poster={(item.thumbnailUrl && mediaAddress(item.thumbnailUrl)) ?? undefined}
            style={{ maxHeight: '46vh', maxWidth: '100%' }}
          />
        )}
        {item.type === 'IMAGE' && (
          <>
            <SegmentedControl
              aria-label={t`What to change`}
              data={[
                { value: 'crop', label: t`Crop` },
                { value: 'people', label: t`People` },
              ]}
              value={view}
              onChange={setView}
            />
            {view === 'crop' ? (
              <Part>
                <CropField key={uid} item={item} onChange={(crop) => onChange({ crop })} />
              </Part>
            ) : (
              <PeopleTags key={uid} item={item} onChange={(tags) => onChange({ tags })} />
            )}
          </>
        )}
        <Group gap="xs">
          <Button
            variant="default"
            size="compact-sm"
            disabled={number === 1}
            leftSection={<IconArrowLeft size={16} aria-hidden />}
            onClick={() => onMove(-1)}
          >
            <Trans>Move earlier</Trans>
          </Button>
          <Button
            variant="default"
            size="compact-sm"
            disabled={number === all}
            leftSection={<IconArrowRight size={16} aria-hidden />}
            onClick={() => onMove(1)}
          >
            <Trans>Move later</Trans>
          </Button>
          <Button
            variant="default"
            size="compact-sm"
            leftSection={<IconTrash size={16} aria-hidden />}
            onClick={onRemove}
          >
            <Trans>Remove</Trans>
          </Button>
        </Group>
        <Group gap="xs" justify="flex-end" data-form-buttons>
          {all > 1 && (
            <>
              <ActionIcon
                variant="default"
                size={36}
                aria-label={t`Previous file`}
                disabled={!onEarlier}
                onClick={onEarlier}
              >
                <IconChevronLeft size={18} aria-hidden />
              </ActionIcon>
              <ActionIcon variant="default" size={36} aria-label={t`Next file`} disabled={!onLater} onClick={onLater}>
                <IconChevronRight size={18} aria-hidden />
              </ActionIcon>
            </>
          )}
          <Button onClick={onClose}>
            <Trans>Done</Trans>
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
