import type { NotificationData } from '@mantine/notifications'
import { lazy, useSyncExternalStore } from 'react'
import { Part } from './part.tsx'

/** Loaded with the first message: most screens are left without one. */
const library = () => import('./message-list.tsx')
const MessageList = lazy(() => library().then((room) => ({ default: room.MessageList })))

let shown = 0
const listeners = new Set<() => void>()

/** Shows a message at the edge of the page. Answers its id. */
export function showMessage(message: NotificationData): string {
  shown += 1
  const id = `message-${shown}`
  for (const listener of listeners) listener()
  void library().then(({ notifications }) => notifications.show({ ...message, id }))
  return id
}

/** Puts other words in the place of a message; nothing happens when it was closed. */
export function changeMessage(id: string, message: NotificationData): void {
  void library().then(({ notifications }) => notifications.update({ ...message, id }))
}

/** Takes a message away; nothing happens when it is gone. */
export function hideMessage(id: string): void {
  void library().then(({ notifications }) => notifications.hide(id))
}

/** The place of messages. Stands in the app once. */
export function Messages() {
  const wanted = useSyncExternalStore(subscribe, () => shown > 0)
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
