import { Notifications, notifications } from '@mantine/notifications'
import { useEffect } from 'react'
import { keepHeight } from './keep-height.ts'

const POSITION = 'bottom-left'

/** All messages. What must not lie below them makes room by `--messages`, how high they are together. */
export function MessageList() {
  useEffect(() => {
    let end = () => {}
    // Their place comes with the next frame.
    const frame = requestAnimationFrame(() => {
      const place = document.querySelector<HTMLElement>(`.mantine-Notifications-root[data-position="${POSITION}"]`)
      if (place) end = keepHeight(place, '--messages')
    })
    return () => {
      cancelAnimationFrame(frame)
      end()
    }
  }, [])
  return <Notifications position={POSITION} portalProps={{ target: document.body }} />
}

export { notifications }
