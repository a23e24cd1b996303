import { Trans, useLingui } from '@lingui/react/macro'
import { ActionIcon, Button, FileButton, Text, UnstyledButton } from '@mantine/core'
import { IconPhotoPlus, IconX } from '@tabler/icons-react'
import { type DragEvent, useState } from 'react'
import type { AccountType, SocialSet } from '#contract'
import { lazyWithWords } from '../api/code.ts'
import { useMay } from '../api/session.ts'
import { announce } from '../design/announce.tsx'
import { Part } from '../design/part.tsx'
import { CroppedImage, ratioOf } from '../planning/files/cropped-image.tsx'
import { lengthText } from '../planning/files/length-text.ts'
import { ACCEPTED } from '../uploads/refusals.ts'
import classes from './composer.module.css'
import type { DraftMedia } from './draft-shape.ts'
import { RATIOS } from './fixes.ts'
import { UploadTile } from './upload-tile.tsx'
import { useRefused } from './use-refused.ts'

const MediaDetails = lazyWithWords(() =>
  import('./media-details.tsx').then(({ MediaDetails }) => ({ default: MediaDetails })),
)

const MediaPicker = lazyWithWords(() =>
  import('./media-picker.tsx').then(({ MediaPicker }) => ({ default: MediaPicker })),
)

interface MediaStripProps {
  socialSet: SocialSet
  /** What it is called where there are several. */
  label?: string
  /** That these files are for. */
  accountTypes: readonly AccountType[]
  media: readonly DraftMedia[]
  error: string | null
  onChange: (media: readonly DraftMedia[]) => void
  /** Sends files of this computer into this strip. */
  onFiles: (files: readonly File[]) => void
}

/** The files of a post in their order: choose, drop and paste; order by mouse, keys and the buttons behind each. */
export function MediaStrip({ socialSet, label, accountTypes, media, error, onChange, onFiles }: MediaStripProps) {
  const { t } = useLingui()
  // Null: it has not been asked for.
  const [picking, setPicking] = useState<boolean | null>(null)
  const [shown, setShown] = useState<string | null>(null)
  const [dragged, setDragged] = useState<number | null>(null)
  const mayUpload = useMay('media:write')
  const move = (from: number, to: number) => {
    const next = [...media]
    const [item] = next.splice(from, 1)
    if (!item || to < 0 || to > next.length || from === to) return
    next.splice(to, 0, item)
    onChange(next)
    const place = to + 1
    const all = next.length
    announce(t`Moved to place ${place} of ${all}.`)
  }
  const remove = (uid: string) => onChange(media.filter((item) => item.uid !== uid))
  const isRefused = useRefused()
  const count = media.filter((each) => !isRefused(each)).length
  const detailed = media.findIndex(({ uid }) => uid === shown)
  const item = media[detailed]
  // What is still on its way cannot be described yet.
  const isThere = ({ upload }: DraftMedia) => upload === null
  const earlier = item && media.slice(0, detailed).findLast(isThere)
  const later = item && media.slice(detailed + 1).find(isThere)
  return (
    <section aria-label={label ?? t`Pictures and video`}>
      <div className={classes.label}>
        <h3>
          <Trans>Pictures and video</Trans>
        </h3>
        {count > 0 && (
          <Text span size="sm" c="dimmed">
            {count}
          </Text>
        )}
      </div>
      <div className={classes.media}>
        {media.length > 0 && (
          <ol className={classes.tiles}>
            {media.map((each, index) =>
              each.upload === null ? (
                <Tile
                  key={each.uid}
                  item={each}
                  index={index}
                  all={media.length}
                  onOpen={() => setShown(each.uid)}
                  onRemove={() => remove(each.uid)}
                  onMove={(by) => move(index, index + by)}
                  onDragStart={() => setDragged(index)}
                  onDrop={() => {
                    if (dragged !== null) move(dragged, index)
                    setDragged(null)
                  }}
                />
              ) : (
                <UploadTile key={each.uid} item={each} index={index} onRemove={() => remove(each.uid)} />
              ),
            )}
          </ol>
        )}
        <div className={classes.drop}>
          <IconPhotoPlus size={20} className={classes.dropIcon} aria-hidden />
          {mayUpload && <Trans>Drop files here, or paste</Trans>}
          <span>
            {mayUpload && (
              <FileButton multiple accept={ACCEPTED} onChange={onFiles} inputProps={{ 'aria-label': t`Files` }}>
                {(props) => (
                  <Button {...props} variant="subtle" size="compact-xs">
                    <Trans>Choose files</Trans>
                  </Button>
                )}
              </FileButton>
            )}
            <Button variant="subtle" size="compact-xs" onClick={() => setPicking(true)}>
              <Trans>Library</Trans>
            </Button>
          </span>
        </div>
      </div>
      {error && (
        <Text size="sm" c="var(--mantine-color-error)" mt={4}>
          {error}
        </Text>
      )}
      <Part>
        {picking !== null && (
          <MediaPicker
            opened={picking}
            socialSet={socialSet}
            accountTypes={accountTypes}
            onClose={() => setPicking(false)}
            onPick={(items) => onChange([...media, ...items])}
          />
        )}
        {item && (
          <MediaDetails
            item={item}
            number={detailed + 1}
            all={media.length}
            onChange={(change) =>
              onChange(media.map((each) => (each.uid === item.uid ? { ...each, ...change } : each)))
            }
            onMove={(by) => move(detailed, detailed + by)}
            onEarlier={earlier && (() => setShown(earlier.uid))}
            onLater={later && (() => setShown(later.uid))}
            onRemove={() => {
              setShown(null)
              remove(item.uid)
            }}
            onClose={() => setShown(null)}
          />
        )}
      </Part>
    </section>
  )
}

interface TileProps {
  item: DraftMedia
  index: number
  all: number
  onOpen: () => void
  onRemove: () => void
  onMove: (by: 1 | -1) => void
  onDragStart: () => void
  onDrop: () => void
}

function Tile({ item, index, all, onOpen, onRemove, onMove, onDragStart, onDrop }: TileProps) {
  const { t } = useLingui()
  const number = index + 1
  const alt = item.altText || item.name
  const kind = {
    VIDEO: t`Video ${number} of ${all}`,
    IMAGE: t`Picture ${number} of ${all}`,
    DOCUMENT: t`Document ${number} of ${all}`,
  }[item.type]
  const removal = {
    VIDEO: t`Remove video ${number}`,
    IMAGE: t`Remove picture ${number}`,
    DOCUMENT: t`Remove document ${number}`,
  }[item.type]
  const cropped = item.crop && RATIOS.find(({ value }) => Math.abs(value - ratioOf(item)) < 0.01)?.name
  const length = item.durationMs === null ? cropped : lengthText(item.durationMs)
  const tag = item.type === 'DOCUMENT' ? 'PDF' : length
  const missing = item.altText.trim() === '' && item.type === 'IMAGE'
  const over = (event: DragEvent) => {
    if (!event.dataTransfer.types.includes('Files')) event.preventDefault()
  }
  return (
    <li
      className={classes.tile}
      draggable
      onDragStart={onDragStart}
      onDragOver={over}
      onDrop={(event) => {
        if (event.dataTransfer.types.includes('Files')) return
        event.preventDefault()
        onDrop()
      }}
    >
      <UnstyledButton
        className={classes.tileOpen}
        aria-label={[kind, alt, missing ? t`without alt text` : ''].filter(Boolean).join(', ')}
        aria-keyshortcuts="Alt+ArrowLeft Alt+ArrowRight"
        onClick={onOpen}
        onKeyDown={(event) => {
          if (!event.altKey || (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight')) return
          event.preventDefault()
          onMove(event.key === 'ArrowLeft' ? -1 : 1)
        }}
      >
        <CroppedImage item={item} alt="" small={item.crop === null} className={classes.tilePicture} />
      </UnstyledButton>
      <span className={classes.tileNumber} aria-hidden>
        {number}
      </span>
      {missing ? (
        <span className={classes.tileTag} data-need aria-hidden>
          <Trans>Alt text?</Trans>
        </span>
      ) : (
        tag && (
          <span className={classes.tileTag} aria-hidden>
            {tag}
          </span>
        )
      )}
      {item.type !== 'IMAGE' && item.thumbnailUrl === null && (
        <span className={classes.tileName} aria-hidden dir="auto">
          {item.name}
        </span>
      )}
      <ActionIcon
        className={classes.tileRemove}
        variant="filled"
        color="dark"
        radius="xl"
        size={24}
        aria-label={removal}
        onClick={onRemove}
      >
        <IconX size={14} aria-hidden />
      </ActionIcon>
    </li>
  )
}
