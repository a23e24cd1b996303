import type { Rule } from '../conformance.ts'

export const decidedRecordsRules: readonly Rule[] = [
  {
    id: 'shape-40',
    rule: 'A social set is answered with id, name, timezone, createdAt and accounts, each with id, type, name, username, profileUrl, avatarUrl, status, statusReason and connectedAt.',
  },
  {
    id: 'shape-41',
    rule: 'The status of a connected account is CONNECTED or RECONNECT_REQUIRED.',
  },
  {
    id: 'shape-42',
    rule: 'No answer holds a token.',
  },
  {
    id: 'shape-43',
    rule: 'A restricted key lists the social sets of its restriction alone.',
  },
  {
    id: 'shape-44',
    rule: 'A social set has at most one connection per account type.',
  },
  {
    id: 'shape-45',
    rule: 'A media item is answered with id, socialSetId, type, name, mimeType, bytes, width, height, durationMs, url, thumbnailUrl, altText, source and createdAt.',
  },
  {
    id: 'shape-46',
    rule: 'source of a media item is UPLOAD, or URL with the address.',
  },
  {
    id: 'shape-47',
    rule: 'Addresses of files are absolute, signed and good for 48 hours, those for networks for 72.',
  },
  {
    id: 'shape-48',
    rule: 'The end of an address is rounded to the day, so that answers stay the same all day.',
  },
  {
    id: 'shape-49',
    rule: 'Files are served in parts, with nosniff and a policy that lets them do nothing.',
  },
  {
    id: 'shape-50',
    rule: 'POST /v1/media-upload takes socialSetId, url, and optionally name and altText.',
  },
  {
    id: 'shape-51',
    rule: 'POST /v1/media-upload needs media:write.',
  },
  {
    id: 'shape-52',
    rule: 'POST /v1/media-upload answers 201 with id, socialSetId, url, status, bytesReceived, bytesTotal, mediaLibraryId, error, createdAt and updatedAt.',
  },
  {
    id: 'shape-53',
    rule: 'The status of an upload goes from PENDING through PROCESSING to READY or FAILED.',
  },
  {
    id: 'shape-54',
    rule: 'A sixth pending upload of a social set is 429 media-upload:too_many_pending with Retry-After of one second.',
  },
  {
    id: 'shape-55',
    rule: 'A URL that can never be fetched is 400 at once.',
  },
  {
    id: 'shape-56',
    rule: 'What goes wrong with an import later is reported in the upload: url_blocked, dns_failed, http_error, timeout, too_many_redirects, too_large, unsupported_type, corrupt.',
  },
  {
    id: 'shape-57',
    rule: 'An import over the monthly upload allowance fails with allowance_exceeded, one over the storage with storage_exceeded.',
  },
  {
    id: 'shape-58',
    rule: 'An import that is cut off too often fails with interrupted.',
  },
  {
    id: 'shape-59',
    rule: 'A media item of a post is answered with id, mediaLibraryId, what was said of it, tags, and type, url, thumbnailUrl, width and height of the library item.',
  },
  {
    id: 'shape-60',
    rule: 'A media item with both id and mediaLibraryId is kept by its id; another mediaLibraryId than it has is 400.',
  },
  {
    id: 'shape-61',
    rule: 'A segment of richCaption is a string, or an object with text and perhaps a mention of an id and a name; it is stored as it was sent.',
  },
  {
    id: 'shape-62',
    rule: 'The segments of richCaption, joined, equal the caption of a post that is scheduled.',
  },
  {
    id: 'shape-63',
    rule: 'collaborators are strings, handles without @.',
  },
  {
    id: 'shape-64',
    rule: 'audio, audioName, firstComment and ctaUrl are strings; videoCoverImage and videoCoverImageSeconds are seconds from 0 on, fractions allowed; all may be null.',
  },
  {
    id: 'shape-65',
    rule: 'In a draft, caption, title, website and richCaption may be empty; absent they are 400 at any status.',
  },
  {
    id: 'shape-66',
    rule: 'A field of another account type is 400 unless it is null or empty.',
  },
  {
    id: 'shape-67',
    rule: 'Places of tags, enumerations and counts of posts are shape, and so 400 in a draft too.',
  },
  {
    id: 'shape-68',
    rule: 'Rules of a network are 422, and are asked of scheduled sets alone.',
  },
  {
    id: 'shape-69',
    rule: 'GET /v1/media-library/{id} gives one item of the library.',
  },
  {
    id: 'shape-70',
    rule: 'Control characters of texts are stored and answered as sent. On the way to a network U+000B, U+2028 and their like become line breaks and others are dropped, in every text; counts and rules see the result, and validate warns.',
  },
]
