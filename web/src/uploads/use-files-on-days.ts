import { useEffect, useEffectEvent } from 'react'
import { filesOf, holdsFiles } from './files-of.ts'
import { handToComposer } from './handed-files.ts'

/**
 * Files that are dropped on a day (`data-date`) are sent, and the day is given to `onDay`, which opens a composer for it.
 * Beside days nothing happens with them: without this, the browser would leave the page for the file.
 *
 * @param socialSetId null: files are not taken
 */
export function useFilesOnDays(socialSetId: string | null, onDay: (date: string) => void): void {
  const open = useEffectEvent(onDay)
  useEffect(() => {
    const dragOver = (event: DragEvent) => {
      if (event.defaultPrevented || !holdsFiles(event.dataTransfer)) return
      event.preventDefault()
      if (event.dataTransfer) event.dataTransfer.dropEffect = socialSetId && dayOf(event) ? 'copy' : 'none'
    }
    const drop = (event: DragEvent) => {
      if (event.defaultPrevented || !holdsFiles(event.dataTransfer)) return
      event.preventDefault()
      const date = dayOf(event)
      const files = filesOf(event.dataTransfer)
      if (socialSetId && date && files.length > 0) void handToComposer(socialSetId, files).then(() => open(date))
    }
    document.addEventListener('dragover', dragOver)
    document.addEventListener('drop', drop)
    return () => {
      document.removeEventListener('dragover', dragOver)
      document.removeEventListener('drop', drop)
    }
  }, [socialSetId])
}

function dayOf({ target }: DragEvent): string | undefined {
  return target instanceof Element ? target.closest<HTMLElement>('[data-date]')?.dataset.date : undefined
}
