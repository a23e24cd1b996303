import { LibraryDocument } from '../library/library-document.tsx'
import { DocumentPages } from '../planning/files/document-pages.tsx'
import type { DraftMedia } from './draft-shape.ts'

interface DocumentPreviewProps {
  media: readonly DraftMedia[]
  /** That was given for it; empty: the name of the file is shown. */
  title: string
}

/** A document as LinkedIn shows it: its title over pages to leaf through, which are those of a PDF, or pictures. */
export function DocumentPreview({ media, title }: DocumentPreviewProps) {
  const [first] = media
  if (!first) return null
  const name = title.trim() || first.name.replace(/\.pdf$/i, '')
  const { mediaLibraryId: id, width, height } = first
  const pages = media.flatMap(({ url, thumbnailUrl }) => url ?? thumbnailUrl ?? [])
  return (
    <figure style={{ margin: 0 }}>
      <figcaption dir="auto" style={{ padding: '6px 12px', fontWeight: 600 }}>
        {name}
      </figcaption>
      {first.type === 'DOCUMENT' ? (
        id !== '' && <LibraryDocument file={{ id, name, width, height }} />
      ) : (
        <DocumentPages pages={pages} name={name} ratio={width > 0 && height > 0 ? width / height : 1} />
      )}
    </figure>
  )
}
