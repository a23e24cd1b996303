import { useEffect } from 'react'
import { createPortal } from 'react-dom'
import { lazyWithWords } from '../api/code.ts'
import { useSession } from '../api/session.ts'
import { Part } from '../design/part.tsx'
import { useTrayPlace } from './tray-place.tsx'
import { readUploads, useUploads } from './upload-list.ts'

const UploadTray = lazyWithWords(() => import('./upload-tray.tsx').then(({ UploadTray }) => ({ default: UploadTray })))

/** The tray, in the place that the screen has for it: nothing is loaded of it before there is an upload. */
export function UploadTrayPlace() {
  const { user, account } = useSession()
  const uploads = useUploads()
  const place = useTrayPlace()
  const who = `${account.id}:${user.id}`
  useEffect(() => void begin(who), [who])
  if (uploads.every(({ closed }) => closed)) return null
  const tray = (
    <Part>
      <UploadTray uploads={uploads.filter(({ closed }) => !closed)} />
    </Part>
  )
  return place ? createPortal(tray, place) : tray
}

async function begin(who: string): Promise<void> {
  const { locks } = navigator as { locks?: LockManager }
  const { held = [] } = (await locks?.query()) ?? {}
  readUploads(who, new Set(held.map(({ name = '' }) => name)))
}
