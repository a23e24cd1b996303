import { type ClipboardEvent, type DragEvent, useState } from 'react'
import { insertText, takesText } from '../design/pasting.ts'
import { filesOf, type Source } from '../uploads/files-of.ts'
import { markOwn, mayHold, readGiven } from '../uploads/given.ts'

/** What is dropped on an element or pasted in it, as the element's handlers. Texts are for its fields. */
export function useGiven(take: (files: readonly Source[]) => void) {
  /** Something that can be dropped is over it. */
  const [over, setOver] = useState(false)
  const handlers = {
    onDragStart: ({ dataTransfer }: DragEvent) => markOwn(dataTransfer),
    onDragOver(event: DragEvent) {
      if (!mayHold(event.dataTransfer, 'pictures')) return
      event.preventDefault()
      setOver(true)
    },
    onDragLeave: () => setOver(false),
    onDrop(event: DragEvent) {
      setOver(false)
      const { dataTransfer, target } = event
      if (!mayHold(dataTransfer, 'pictures')) return
      // A browser would leave the page for a link.
      event.preventDefault()
      const given = readGiven(dataTransfer)
      const files = filesOf(given)
      if (files.length > 0) return take(files)
      if (!takesText(target)) return
      target.focus()
      insertText(given.text)
    },
    onPaste(event: ClipboardEvent) {
      const files = filesOf(readGiven(event.clipboardData))
      if (files.length === 0) return
      event.preventDefault()
      take(files)
    },
  }
  return { over, handlers }
}
