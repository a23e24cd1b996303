import { Title, VisuallyHidden } from '@mantine/core'
import { useEffect } from 'react'
import { announce } from './announce.tsx'

/** The page's one h1, and the title of its window. A change of page is said aloud: the focus stays where it was. */
export function PageTitle({ title, hidden = false }: { title: string; hidden?: boolean }) {
  useEffect(() => setDocumentTitle(title), [title])
  if (hidden) return <VisuallyHidden component="h1">{title}</VisuallyHidden>
  return (
    <Title order={1} size="h2">
      {title}
    </Title>
  )
}

let titled = false
let shown = ''
let waiting = 0

function setDocumentTitle(title: string): void {
  if (title === shown) return
  shown = title
  write()
  // A browser says the title of the first page itself.
  if (titled) announce(title)
  titled = true
}

/** How many things wait for the person: a number before the title, which is not said aloud. */
export function setWaiting(number: number): void {
  waiting = number
  if (shown !== '') write()
}

function write(): void {
  document.title = `${waiting > 0 ? `(${waiting}) ` : ''}${shown} · Almanac`
}
