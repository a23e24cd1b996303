import { useEffect, useEffectEvent } from 'react'
import { mayHold, readGiven } from './given.ts'
import { handToComposer } from './handed-files.ts'

/**
 * Files and pictures of web pages that are dropped on a day (`data-date`) come into the library, and the day is given to
 * `onDay`, which opens a composer for it. Beside days nothing happens with files: without this, the browser would leave the page
 * for the file.
 *
 * @param socialSetId null: files are not taken
 */
export function useFilesOnDays(socialSetId: string | null, onDay: (date: string) => void): void {
  const open = useEffectEvent(onDay)
  useEffect(() => {
    const dragOver = (event: DragEvent) => {
      const { dataTransfer } = event
      const date = dayOf(event)
      if (event.defaultPrevented || !dataTransfer || !mayHold(dataTransfer, date ? 'pictures' : 'files')) return
      event.preventDefault()
      dataTransfer.dropEffect = socialSetId && date ? 'copy' : 'none'
    }
    const drop = (event: DragEvent) => {
      const { dataTransfer } = event
      const date = dayOf(event)
      if (event.defaultPrevented || !dataTransfer || !mayHold(dataTransfer, date ? 'pictures' : 'files')) return
      event.preventDefault()
      if (!socialSetId || !date) return
      void handToComposer(socialSetId, readGiven(dataTransfer)).then((any) => any && open(date))
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
