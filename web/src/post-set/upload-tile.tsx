import { Trans, useLingui } from '@lingui/react/macro'
import { ActionIcon, Progress } from '@mantine/core'
import { IconAlertTriangle, IconX } from '@tabler/icons-react'
import { GoOn } from '../uploads/go-on.tsx'
import { progressWords } from '../uploads/refusals.ts'
import { removeUpload } from '../uploads/run-uploads.ts'
import { useUploads } from '../uploads/upload-list.ts'
import classes from './composer.module.css'
import type { DraftMedia } from './draft-shape.ts'

interface UploadTileProps {
  item: DraftMedia
  index: number
  onRemove: () => void
}

/** The place of a file that is on its way. */
export function UploadTile({ item, index, onRemove }: UploadTileProps) {
  const { t } = useLingui()
  const upload = useUploads().find(({ key }) => key === item.upload)
  const { name, problem, state, sent = 0, bytes = 0, preview } = { ...item, ...upload }
  const refused = state === 'refused'
  const stopped = state === 'paused' || state === 'interrupted'
  return (
    <li className={classes.tile} data-wide={refused || upload === undefined || undefined}>
      {preview && <img className={classes.tilePicture} src={preview} alt="" data-faint />}
      <span className={classes.tileNumber} aria-hidden>
        {index + 1}
      </span>
      {upload === undefined ? (
        <p className={classes.tileProblem}>
          <IconAlertTriangle size={14} aria-hidden />{' '}
          <Trans>
            <b dir="auto">{name}</b> is on its way from another browser. Wait for it there, or add the file again here.
          </Trans>
        </p>
      ) : refused ? (
        <p className={classes.tileProblem} role="alert">
          <IconAlertTriangle size={14} aria-hidden /> <b dir="auto">{name}</b> {problem}
        </p>
      ) : (
        <span className={classes.tileProgress}>
          <Progress.Root size={4}>
            <Progress.Section value={bytes === 0 ? 0 : (100 * sent) / bytes} aria-label={t`${name}, uploaded`} />
          </Progress.Root>
          {state === 'checking' ? (
            <Trans>Checking…</Trans>
          ) : stopped && upload ? (
            <GoOn upload={upload}>
              {(goOn) => (
                <button type="button" onClick={goOn}>
                  <Trans>Go on</Trans>
                </button>
              )}
            </GoOn>
          ) : (
            progressWords(sent, bytes)
          )}
        </span>
      )}
      <ActionIcon
        className={classes.tileRemove}
        variant="filled"
        color="dark"
        radius="xl"
        size={24}
        aria-label={t`Remove ${name}`}
        onClick={() => {
          if (upload) removeUpload(upload.key)
          onRemove()
        }}
      >
        <IconX size={14} aria-hidden />
      </ActionIcon>
    </li>
  )
}
