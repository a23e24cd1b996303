import { useLingui } from '@lingui/react/macro'
import { NumberInput, Text } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { mediaAddress } from '../api/media-address.ts'
import classes from './composer.module.css'
import type { DraftMedia } from './draft-shape.ts'

/** Seconds between two frames that can be chosen; the last one is before the end, where there is no frame any more. */
const STEP = 0.1

interface CoverFieldProps {
  label: string
  description: string
  /** The video that the cover is of. */
  video: Pick<DraftMedia, 'url'>
  /** In seconds; null: the network chooses. */
  value: number | null
  error: string | null
  onChange: (seconds: number | null) => void
}

/** Which frame of a video is its cover: a slider that shows the frame, and its second as a number. */
export function CoverField({ label, description, video, value, error, onChange }: CoverFieldProps) {
  const { t, i18n } = useLingui()
  const frame = useRef<HTMLVideoElement>(null)
  const [last, setLast] = useState<number | null>(null)
  const [unplayable, setUnplayable] = useState(false)
  const source = video.url && mediaAddress(video.url)
  const seconds = Math.min(value ?? 0, last ?? Number.POSITIVE_INFINITY)
  useEffect(() => {
    if (frame.current && last !== null) frame.current.currentTime = seconds
  }, [seconds, last])
  const spoken = new Intl.NumberFormat(i18n.locale === 'pseudo' ? 'en' : i18n.locale, {
    style: 'unit',
    unit: 'second',
    unitDisplay: 'long',
    maximumFractionDigits: 1,
  })
  return (
    <div className={classes.cover}>
      {source && !unplayable && (
        <div className={classes.coverFrame}>
          <video
            ref={frame}
            src={source}
            preload="metadata"
            muted
            playsInline
            aria-hidden
            tabIndex={-1}
            onLoadedMetadata={({ currentTarget: { duration } }) => {
              if (Number.isFinite(duration)) setLast(Math.max(0, Math.floor((duration - STEP) / STEP) * STEP))
            }}
            onError={() => setUnplayable(true)}
          />
          <input
            type="range"
            aria-label={label}
            aria-valuetext={spoken.format(seconds)}
            min={0}
            max={last ?? 0}
            step={STEP}
            value={seconds}
            disabled={last === null}
            onChange={(event) => onChange(Number(Number(event.currentTarget.value).toFixed(1)))}
          />
        </div>
      )}
      <NumberInput
        label={t`${label}, in seconds`}
        description={description}
        error={error}
        size="sm"
        min={0}
        step={STEP}
        decimalScale={3}
        value={value ?? ''}
        onChange={(next) => onChange(typeof next === 'number' ? next : null)}
      />
      {unplayable && (
        <Text size="sm" c="dimmed">
          {t`This browser cannot show the video. Enter the second instead.`}
        </Text>
      )}
    </div>
  )
}
