import type { LibraryFile, MediaLibraryItem, MediaUpload } from '#contract'
import { shownAddress } from '#domain'
import type { UrlSigner } from '#media'
import type { MediaItemRow, MediaLibraryRow, MediaUploadRow } from '#persistence'

/** Hours that an address given to a client is good for at least. */
const URL_HOURS = 48

/** A library item in an answer of the API. */
export function mediaLibraryItem(row: MediaItemRow, urls: UrlSigner, now: Date): MediaLibraryItem {
  const { id, facts } = row
  const version = row.thumbnailVersion
  return {
    id,
    socialSetId: row.socialSetId,
    type: facts.type,
    name: row.name,
    mimeType: facts.mimeType,
    bytes: facts.bytes,
    width: facts.width,
    height: facts.height,
    ...(facts.pages === undefined ? {} : { pages: facts.pages }),
    durationMs: facts.durationMs,
    url: urls.sign({ id, variant: 'original' }, URL_HOURS, now),
    thumbnailUrl: version === null ? null : urls.sign({ id, variant: 'thumbnail', version }, URL_HOURS, now),
    altText: row.altText,
    source: row.sourceUrl === null ? { type: row.source } : { type: row.source, url: shownAddress(row.sourceUrl) },
    createdAt: row.createdAt.toISOString(),
  }
}

/** The same for the dashboard. */
export function libraryFile(
  row: MediaLibraryRow,
  fit: Pick<LibraryFile, 'unfit' | 'fills'>,
  { urls, now }: { urls: UrlSigner; now: Date },
): LibraryFile {
  const { usedIn, labelsId, deletedAt } = row
  return { ...mediaLibraryItem(row, urls, now), usedIn, labelsId, deletedAt: deletedAt?.toISOString() ?? null, ...fit }
}

/** An upload in an answer of the API. */
export function mediaUpload(row: MediaUploadRow): MediaUpload {
  return {
    id: row.id,
    socialSetId: row.social_set_id,
    url: row.url === null ? null : shownAddress(row.url),
    // What the API calls pending: that bytes are missing, their count says.
    status: row.status === 'RECEIVING' ? 'PENDING' : row.status,
    bytesReceived: row.bytes_received,
    bytesTotal: row.bytes_total,
    mediaLibraryId: row.media_id,
    error: row.error_code === null ? null : { code: row.error_code, message: row.error_message ?? '' },
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }
}
