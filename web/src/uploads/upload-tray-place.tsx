import { useEffect } from 'react'
import { useSession } from '../api/session.ts'
import { Part } from '../design/part.tsx'
import { lazyWithWords } from '../language/lazy-with-words.ts'
import { readUploads, useUploads } from './upload-list.ts'

const UploadTray = lazyWithWords(() => import('./upload-tray.tsx').then(({ UploadTray }) => ({ default: UploadTray })))

/** The place of the tray: nothing is loaded of it before there is an upload. */
export function UploadTrayPlace() {
  const { user, account } = useSession()
  const uploads = useUploads()
  const who = `${account.id}:${user.id}`
  useEffect(() => void begin(who), [who])
  if (uploads.every(({ closed }) => closed)) return null
  return (
    <Part>
      <UploadTray uploads={uploads.filter(({ closed }) => !closed)} />
    </Part>
  )
}

async function begin(who: string): Promise<void> {
  const { locks } = navigator as { locks?: LockManager }
  const { held = [] } = (await locks?.query()) ?? {}
  readUploads(who, new Set(held.map(({ name = '' }) => name)))
}
