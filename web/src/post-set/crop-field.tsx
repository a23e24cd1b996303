import '../design/more-styles.ts'
import 'react-image-crop/dist/ReactCrop.css'
import { Trans, useLingui } from '@lingui/react/macro'
import { Button, Group, SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import ReactCrop, { type PercentCrop } from 'react-image-crop'
import type { MediaCrop } from '#contract'
import { mediaAddress } from '../api/media-address.ts'
import type { DraftMedia } from './draft-shape.ts'
import { cropTo, RATIOS } from './fixes.ts'

interface CropFieldProps {
  item: DraftMedia
  onChange: (crop: MediaCrop | null) => void
}

/** The part of a picture that the post shows, by pointer and by keys. */
export function CropField({ item, onChange }: CropFieldProps) {
  const { t } = useLingui()
  const [ratio, setRatio] = useState<string>('free')
  const [drawn, setDrawn] = useState<PercentCrop>(() => percentOf(item.crop))
  const value = RATIOS.find(({ name }) => name === ratio)?.value
  // In percent of each side, as the component counts.
  const aspect = value
  const take = (crop: MediaCrop | null) => {
    setDrawn(percentOf(crop))
    onChange(crop)
  }
  const ratios = [{ value: 'free', label: t`Free` }, ...RATIOS.map(({ name }) => ({ value: name, label: name }))]
  return (
    <div>
      <Group gap="xs" mb="xs">
        <SegmentedControl
          size="xs"
          aria-label={t`Shape`}
          data={ratios}
          value={ratio}
          onChange={(name) => {
            setRatio(name)
            const wanted = RATIOS.find((each) => each.name === name)
            if (wanted) take(cropTo(item, wanted.value))
          }}
        />
        <Button variant="default" size="compact-sm" disabled={item.crop === null} onClick={() => take(null)}>
          <Trans>Whole picture</Trans>
        </Button>
      </Group>
      <ReactCrop
        crop={drawn}
        {...(aspect === undefined ? {} : { aspect })}
        minWidth={16}
        minHeight={16}
        ariaLabels={{
          cropArea: t`Move the crop with the arrow keys`,
          nwDragHandle: t`Corner at the top left`,
          nDragHandle: t`Upper edge`,
          neDragHandle: t`Corner at the top right`,
          eDragHandle: t`Right edge`,
          seDragHandle: t`Corner at the bottom right`,
          sDragHandle: t`Lower edge`,
          swDragHandle: t`Corner at the bottom left`,
          wDragHandle: t`Left edge`,
        }}
        onChange={(_, percent) => setDrawn(percent)}
        onComplete={(_, percent) => onChange(cropOf(percent))}
      >
        <img src={(item.url && mediaAddress(item.url)) ?? ''} alt={item.altText} style={{ maxHeight: '46vh' }} />
      </ReactCrop>
    </div>
  )
}

function percentOf(crop: MediaCrop | null): PercentCrop {
  const { x, y, width, height } = crop ?? { x: 0, y: 0, width: 1, height: 1 }
  return { unit: '%', x: x * 100, y: y * 100, width: width * 100, height: height * 100 }
}

/** Null of all of it. */
function cropOf({ x, y, width, height }: PercentCrop): MediaCrop | null {
  if (width <= 0 || height <= 0) return null
  const within = (part: number) => Math.min(1, Math.max(0, part / 100))
  const crop = { x: within(x), y: within(y), width: within(width), height: within(height) }
  return crop.width > 0.999 && crop.height > 0.999 ? null : crop
}
