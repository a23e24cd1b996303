import { useEffect, useEffectEvent } from 'react'
import { withWords } from '../language/language.ts'
import type { Source } from './files-of.ts'
import { mayHold, readGiven } from './given.ts'

/**
 * Gives files and pictures of web pages that are dropped on a day (`data-date`) to `onDay`, which opens a composer for them.
 * Beside days nothing happens with files: without this, the browser would leave the page for the file.
 *
 * @param onDay null: files are not taken
 * @param isOn false: something around it does this already
 */
export function useFilesOnDays(
  onDay: ((date: string, files: readonly Source[]) => void) | null,
  isOn: boolean = true,
): void {
  const take = useEffectEvent((date: string, files: readonly Source[]) => onDay?.(date, files))
  const takes = onDay !== null
  useEffect(() => {
    if (!isOn) return
    const dragOver = (event: DragEvent) => {
      const { dataTransfer } = event
      const date = dayOf(event)
      if (event.defaultPrevented || !dataTransfer || !mayHold(dataTransfer, date ? 'pictures' : 'files')) return
      event.preventDefault()
      dataTransfer.dropEffect = takes && date ? 'copy' : 'none'
    }
    const drop = (event: DragEvent) => {
      const { dataTransfer } = event
      const date = dayOf(event)
      if (event.defaultPrevented || !dataTransfer || !mayHold(dataTransfer, date ? 'pictures' : 'files')) return
      event.preventDefault()
      if (!takes || !date) return
      const given = readGiven(dataTransfer)
      void withWords(import('./files-of.ts')).then(({ filesOf }) => {
        const files = filesOf(given)
        if (files.length > 0) take(date, files)
      })
    }
    document.addEventListener('dragover', dragOver)
    document.addEventListener('drop', drop)
    return () => {
      document.removeEventListener('dragover', dragOver)
      document.removeEventListener('drop', drop)
    }
  }, [takes, isOn])
}

function dayOf({ target }: DragEvent): string | undefined {
  return target instanceof Element ? target.closest<HTMLElement>('[data-date]')?.dataset.date : undefined
}
