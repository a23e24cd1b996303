import '../design/more-styles.ts'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { ActionIcon, Button, Progress } from '@mantine/core'
import {
  IconAlertTriangle,
  IconCheck,
  IconChevronDown,
  IconChevronUp,
  IconPhoto,
  IconPlayerPause,
  IconPlayerPlay,
  IconX,
} from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { GoOn } from './go-on.tsx'
import { progressWords } from './refusals.ts'
import { closeFinished, goOnAfterReload, pauseUpload, removeUpload, resumeUpload } from './run-uploads.ts'
import type { Upload, UploadState } from './upload-list.ts'
import classes from './upload-tray.module.css'

const UNDER_WAY: readonly UploadState[] = ['waiting', 'sending', 'offline', 'checking']
const STOPPED: readonly UploadState[] = ['paused', 'interrupted']
/** Nothing has to be done, or known. */
const CALM: readonly UploadState[] = ['waiting', 'sending', 'checking', 'ready']
/** When all files are in the library, the tray says so this long. */
const DONE_SHOWN_MS = 4_000

/** What is on its way from this computer, over every screen. */
export function UploadTray({ uploads }: { uploads: readonly Upload[] }) {
  const { t } = useLingui()
  const [chosen, setChosen] = useState<boolean | null>(null)
  const tray = useRef<HTMLElement>(null)
  useEffect(goOnAfterReload, [])
  useDone(
    uploads.every(({ state }) => state === 'ready'),
    tray,
  )
  const going = uploads.filter(({ state }) => UNDER_WAY.includes(state))
  const stopped = uploads.filter(({ state }) => STOPPED.includes(state))
  const calm = uploads.every(({ state }) => CALM.includes(state))
  const inComposer = document.querySelector('[data-composer]') !== null
  // What has to be known or done shows itself. The composer shows the same files as its own.
  const open = chosen ?? !(calm || inComposer)
  return (
    <section className={classes.tray} aria-label={t`Uploads`} ref={tray}>
      <header className={classes.head}>
        <strong>
          <Title uploads={uploads} going={going.length} stopped={stopped.length} />
        </strong>
        {going.some(({ state }) => state !== 'checking') && (
          <ActionIcon
            variant="subtle"
            color="gray"
            size="md"
            aria-label={t`Pause all`}
            onClick={() => {
              for (const { key, state } of going) if (state !== 'checking') pauseUpload(key)
            }}
          >
            <IconPlayerPause size={16} aria-hidden />
          </ActionIcon>
        )}
        {going.length === 0 && stopped.length > 0 && (
          <Button size="compact-xs" variant="default" onClick={() => void resumeAll(stopped)}>
            <Trans>Go on</Trans>
          </Button>
        )}
        {going.length === 0 && stopped.length === 0 && (
          <ActionIcon variant="subtle" color="gray" size="md" aria-label={t`Close uploads`} onClick={closeFinished}>
            <IconX size={16} aria-hidden />
          </ActionIcon>
        )}
        <ActionIcon
          variant="subtle"
          color="gray"
          size="md"
          aria-expanded={open}
          aria-label={open ? t`Hide the list of uploads` : t`Show the list of uploads`}
          onClick={() => setChosen(!open)}
        >
          {open ? <IconChevronDown size={16} aria-hidden /> : <IconChevronUp size={16} aria-hidden />}
        </ActionIcon>
      </header>
      {open && (
        <ul className={classes.list}>
          {uploads.map((upload) => (
            <Row key={upload.key} upload={upload} />
          ))}
        </ul>
      )}
    </section>
  )
}

/** Closes the tray a moment after the last file came into the library, but not under a pointer or the focus. */
function useDone(done: boolean, tray: { current: HTMLElement | null }): void {
  useEffect(() => {
    const element = tray.current
    if (!done || !element) return
    let timer = window.setTimeout(closeFinished, DONE_SHOWN_MS)
    const wait = () => window.clearTimeout(timer)
    const goOn = () => {
      wait()
      if (!element.matches(':hover, :focus-within')) timer = window.setTimeout(closeFinished, DONE_SHOWN_MS)
    }
    const holding = ['pointerenter', 'focusin'] as const
    const leaving = ['pointerleave', 'focusout'] as const
    for (const name of holding) element.addEventListener(name, wait)
    for (const name of leaving) element.addEventListener(name, goOn)
    return () => {
      wait()
      for (const name of holding) element.removeEventListener(name, wait)
      for (const name of leaving) element.removeEventListener(name, goOn)
    }
  }, [done, tray])
}

interface TitleProps {
  uploads: readonly Upload[]
  going: number
  stopped: number
}

function Title({ uploads, going, stopped }: TitleProps) {
  const all = uploads.length
  const refused = uploads.filter(({ state }) => state === 'refused').length
  if (going > 0) {
    return (
      <Trans>
        Uploading {going} of {all}
      </Trans>
    )
  }
  if (stopped > 0) return <Plural value={stopped} one="# upload is not finished" other="# uploads are not finished" />
  if (refused > 0) return <Plural value={refused} one="# file was refused" other="# files were refused" />
  return <Plural value={all} one="# file is in the library" other="# files are in the library" />
}

/** What is not there any more is asked for in its row. */
async function resumeAll(stopped: readonly Upload[]): Promise<void> {
  for (const { key } of stopped) await resumeUpload(key)
}

function Row({ upload }: { upload: Upload }) {
  const { t } = useLingui()
  const { key, name, state, bytes, sent, problem, preview } = upload
  const moving = state === 'sending' || state === 'waiting' || state === 'offline'
  return (
    <li className={classes.row}>
      {preview ? (
        <img className={classes.picture} src={preview} alt="" />
      ) : (
        <span className={classes.picture}>
          {state === 'refused' ? <IconAlertTriangle size={18} aria-hidden /> : <IconPhoto size={18} aria-hidden />}
        </span>
      )}
      <span className={classes.name} dir="auto" title={name}>
        {name}
      </span>
      <span className={classes.buttons}>
        {moving && (
          <ActionIcon
            variant="subtle"
            color="gray"
            size={26}
            aria-label={t`Pause ${name}`}
            onClick={() => pauseUpload(key)}
          >
            <IconPlayerPause size={14} aria-hidden />
          </ActionIcon>
        )}
        {STOPPED.includes(state) && (
          <GoOn upload={upload}>
            {(goOn) => (
              <ActionIcon variant="subtle" color="gray" size={26} aria-label={t`Go on with ${name}`} onClick={goOn}>
                <IconPlayerPlay size={14} aria-hidden />
              </ActionIcon>
            )}
          </GoOn>
        )}
        {state === 'ready' && <IconCheck size={16} role="img" aria-label={t`Ready`} />}
        {(state === 'refused' || STOPPED.includes(state)) && (
          <ActionIcon
            variant="subtle"
            color="gray"
            size={26}
            aria-label={t`Remove ${name}`}
            onClick={() => removeUpload(key)}
          >
            <IconX size={14} aria-hidden />
          </ActionIcon>
        )}
      </span>
      <span className={classes.about}>
        {(moving || STOPPED.includes(state)) && (
          <>
            <Progress.Root className={classes.bar} size={4}>
              <Progress.Section
                value={bytes === 0 ? 0 : (100 * sent) / bytes}
                aria-label={t`${name}, uploaded`}
                animated={false}
              />
            </Progress.Root>
            <span>{progressWords(sent, bytes)}</span>
          </>
        )}
        {state === 'checking' && <Trans>Checking the file…</Trans>}
        {state === 'ready' && <Trans>In the library</Trans>}
        {state === 'refused' && <span>{problem}</span>}
      </span>
      {state === 'offline' && (
        <span className={classes.about}>
          <Trans>The server does not answer. It goes on by itself.</Trans>
        </span>
      )}
    </li>
  )
}
