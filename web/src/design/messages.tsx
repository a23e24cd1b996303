import type { NotificationData } from '@mantine/notifications'
import { useEffect, useSyncExternalStore } from 'react'
import { lazyCode } from '../api/code.ts'
import { Part } from './part.tsx'

/** Loaded with the first message, and by a page that has been used for a while: then it is there without the server, too. */
const library = () => import('./message-list.tsx')
const MessageList = lazyCode(() => library().then((room) => ({ default: room.MessageList })))
const USES = ['pointerdown', 'keydown'] as const
const USED_MS = 10_000

/** Does it where the code is there. Without it the page says that there is no server: no more is to be said. */
function withLibrary(act: (room: Awaited<ReturnType<typeof library>>) => void): void {
  library().then(act, () => {})
}

let shown = 0
const listeners = new Set<() => void>()

/** Shows a message at the edge of the page. Answers its id. */
export function showMessage(message: NotificationData): string {
  shown += 1
  const id = `message-${shown}`
  for (const listener of listeners) listener()
  withLibrary(({ notifications }) => notifications.show({ ...message, id }))
  return id
}

/** Puts other words in the place of a message; nothing happens when it was closed. */
export function changeMessage(id: string, message: NotificationData): void {
  withLibrary(({ notifications }) => notifications.update({ ...message, id }))
}

/** Takes a message away; nothing happens when it is gone. */
export function hideMessage(id: string): void {
  withLibrary(({ notifications }) => notifications.hide(id))
}

/** The place of messages. Stands in the app once. */
export function Messages() {
  const wanted = useSyncExternalStore(subscribe, () => shown > 0)
  useEffect(() => {
    const load = () => setTimeout(() => withLibrary(() => {}), USED_MS)
    const options = { once: true, capture: true }
    for (const use of USES) window.addEventListener(use, load, options)
    return () => {
      for (const use of USES) window.removeEventListener(use, load, options)
    }
  }, [])
  if (!wanted) return null
  return (
    <Part>
      <MessageList />
    </Part>
  )
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
