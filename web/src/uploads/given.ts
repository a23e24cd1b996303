/** What was dropped or pasted. */
export interface Given {
  files: readonly File[]
  /** Empty when there is none. */
  text: string
  html: string
  /** Whether it comes from a program that writes texts. */
  isRich: boolean
}

/** Reads it at once: browsers show it no longer than the event lasts. */
export function readGiven(transfer: DataTransfer): Given {
  return {
    files: [...transfer.files],
    text: transfer.getData('text/plain'),
    html: transfer.getData('text/html'),
    isRich: transfer.types.includes('text/rtf'),
  }
}

/** Of what is dragged within the page. */
const OWN = 'application/x-almanac'

export function markOwn(transfer: DataTransfer): void {
  transfer.setData(OWN, '1')
}

/**
 * Whether what is dragged from elsewhere holds files, or else may be a picture of a web page: more is not known before it is
 * dropped.
 */
export function mayHold({ types }: DataTransfer, what: 'files' | 'pictures'): boolean {
  if (types.includes('Files') || types.includes(OWN)) return !types.includes(OWN)
  return what === 'pictures' && types.includes('text/uri-list') && types.includes('text/html')
}
