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
let brand: string | null = null

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

/** The brand that the screen is about stands before the title: of several windows it is what tells them apart. */
export function setTitleBrand(name: string | null): void {
  brand = name
  if (shown !== '') write()
}

function write(): void {
  const words = brand === null ? shown : `${brand} · ${shown}`
  document.title = `${waiting > 0 ? `(${waiting}) ` : ''}${words} · Almanac`
}
