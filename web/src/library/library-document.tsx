import { useQuery } from '@tanstack/react-query'
import { DocumentPages } from '../planning/files/document-pages.tsx'
import { pagesQuery } from './library-queries.ts'

interface LibraryDocumentProps {
  file: { id: string; name: string; width: number; height: number }
}

/** A document of the library, to leaf through. */
export function LibraryDocument({ file: { id, name, width, height } }: LibraryDocumentProps) {
  const { data: pages = [] } = useQuery(pagesQuery(id))
  const ratio = width > 0 && height > 0 ? width / height : 1
  return pages.length === 0 ? null : <DocumentPages pages={pages} name={name} ratio={ratio} />
}
