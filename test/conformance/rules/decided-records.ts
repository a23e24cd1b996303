import type { Rule } from '../conformance.ts'

export const decidedRecordsRules: readonly Rule[] = [
  {
    id: 'shape-40',
    rule: 'A social set is answered with id, name, timezone, createdAt and accounts, each with id, type, name, username, profileUrl, avatarUrl, status, statusReason and connectedAt.',
    proof: ['test/api/social-sets.happy.test.ts › social sets by name, with their open connections and nothing secret'],
  },
  {
    id: 'shape-41',
    rule: 'The status of a connected account is CONNECTED or RECONNECT_REQUIRED.',
    proof: ['test/api/social-sets.happy.test.ts › social sets by name, with their open connections and nothing secret'],
  },
  {
    id: 'shape-42',
    rule: 'No answer holds a token.',
    proof: ['test/api/social-sets.security.test.ts › an answer never holds what reaches a network'],
  },
  {
    id: 'shape-43',
    rule: 'A restricted key lists the social sets of its restriction alone.',
    proof: [
      'test/api/social-sets.security.test.ts › a key sees the social sets of its account, a restricted one only its own',
    ],
  },
  {
    id: 'shape-44',
    rule: 'A social set has at most one connection per account type.',
    proof: [
      'src/operations/connections/add.test.ts › another account is refused in words until the first is closed',
      'src/operations/connections/add.test.ts › several at once make one connection',
    ],
  },
  {
    id: 'shape-45',
    rule: 'A media item is answered with id, socialSetId, type, name, mimeType, bytes, width, height, durationMs, url, thumbnailUrl, altText, source and createdAt.',
    proof: [
      'test/api/media.happy.test.ts › an image: from its address through PENDING to READY, into the library, and back as the same bytes',
      'test/api/media.happy.test.ts › a video has a length and no thumbnail, and is named by its address',
    ],
  },
  {
    id: 'shape-46',
    rule: 'source of a media item is UPLOAD, or URL with the address.',
    proof: [
      'test/api/media.happy.test.ts › an uploaded file has a source without an address',
      'test/api/media.happy.test.ts › an image: from its address through PENDING to READY, into the library, and back as the same bytes',
    ],
  },
  {
    id: 'shape-47',
    rule: 'Addresses of files are absolute, signed and good for 48 hours, those for networks for 72.',
    proof: [
      'src/media/signed-urls.test.ts › sign › is valid for %i hours at least and a day more at most',
      'src/publishing/media-sources.test.ts › items by their ids: facts, bytes, parts of them, and an address for 72 hours; unknown ids are left out',
      'test/api/media.security.test.ts › signed addresses › the address alone opens the file, and nothing but the very address',
    ],
  },
  {
    id: 'shape-48',
    rule: 'The end of an address is rounded to the day, so that answers stay the same all day.',
    proof: ['src/media/signed-urls.test.ts › sign › gives the same answer all day, and another one the next day'],
  },
  {
    id: 'shape-49',
    rule: 'Files are served in parts, with nosniff and a policy that lets them do nothing.',
    proof: [
      'test/api/media-files.happy.test.ts › a part: %s',
      'test/api/media.security.test.ts › signed addresses › a file is served as a picture that can do nothing, under a name that is safe',
    ],
  },
  {
    id: 'shape-50',
    rule: 'POST /v1/media-upload takes socialSetId, url, and optionally name and altText.',
    proof: [
      'test/api/media.happy.test.ts › an image: from its address through PENDING to READY, into the library, and back as the same bytes',
      'test/api/media.happy.test.ts › null is the same as leaving out what is optional',
      'test/api/media.error.test.ts › POST /v1/media-upload › every problem of the body is reported at once, with its place',
    ],
  },
  {
    id: 'shape-51',
    rule: 'POST /v1/media-upload needs media:write.',
    proof: [
      'test/api/media.security.test.ts › who may › importing needs media:write, asked for before anything of the body; reading needs no scope',
    ],
  },
  {
    id: 'shape-52',
    rule: 'POST /v1/media-upload answers 201 with id, socialSetId, url, status, bytesReceived, bytesTotal, mediaLibraryId, error, createdAt and updatedAt.',
    proof: [
      'test/api/media.happy.test.ts › an image: from its address through PENDING to READY, into the library, and back as the same bytes',
    ],
  },
  {
    id: 'shape-53',
    rule: 'The status of an upload goes from PENDING through PROCESSING to READY or FAILED.',
    proof: [
      'test/api/media.happy.test.ts › progress is seen while the file comes',
      'test/api/media.error.test.ts › the reason of an import that failed is reported in the upload',
    ],
  },
  {
    id: 'shape-54',
    rule: 'A sixth pending upload of a social set is 429 media-upload:too_many_pending with Retry-After of one second.',
    proof: [
      'test/api/media.error.test.ts › POST /v1/media-upload › a sixth pending upload of a social set is refused, however many come at once; another set is not touched',
    ],
  },
  {
    id: 'shape-55',
    rule: 'A URL that can never be fetched is 400 at once.',
    proof: [
      'test/api/media.error.test.ts › POST /v1/media-upload › a URL that can never be fetched is refused at once: %s',
    ],
  },
  {
    id: 'shape-56',
    rule: 'What goes wrong with an import later is reported in the upload: url_blocked, dns_failed, http_error, timeout, too_many_redirects, too_large, unsupported_type, corrupt.',
    proof: [
      'test/engine/import.test.ts › %s is reported in the row, and no file is left (%#)',
      'test/api/media.error.test.ts › the reason of an import that failed is reported in the upload',
    ],
  },
  {
    id: 'shape-57',
    rule: 'An import over the monthly upload allowance fails with allowance_exceeded, one over the storage with storage_exceeded.',
    proof: [
      'test/engine/import-allowance.test.ts › %s ends a download as soon as it is known to be too much',
      'test/engine/import-allowance.test.ts › %s: parallel imports never pass the limit together',
    ],
  },
  {
    id: 'shape-58',
    rule: 'An import that is cut off too often fails with interrupted.',
    proof: ['test/engine/import.test.ts › an import that is cut off three times is given up, and says so'],
  },
  {
    id: 'shape-59',
    rule: 'A media item of a post is answered with id, mediaLibraryId, what was said of it, tags, and type, url, thumbnailUrl, width and height of the library item.',
    proof: ['test/api/post-sets.happy.test.ts › create › a draft is answered as it is stored, optional fields as null'],
  },
  {
    id: 'shape-60',
    rule: 'A media item with both id and mediaLibraryId is kept by its id; another mediaLibraryId than it has is 400.',
    proof: [
      'test/api/post-sets.error.test.ts › a change › of references',
      'src/domain/plan-posts.test.ts › ids that come twice, ids of elsewhere, changed account types and changed library items',
    ],
  },
  {
    id: 'shape-61',
    rule: 'A segment of richCaption is a string, or an object with text and perhaps a mention of an id and a name; it is stored as it was sent.',
    proof: [
      'test/api/post-sets.happy.test.ts › create › every account type with all of its fields',
      'test/api/post-sets.error.test.ts › the shape of a new set › %s',
    ],
  },
  {
    id: 'shape-62',
    rule: 'The segments of richCaption, joined, equal the caption of a post that is scheduled.',
    proof: [
      'test/api/post-sets.error.test.ts › posts that cannot be published › all problems of all posts, with the numbers at stake',
    ],
  },
  {
    id: 'shape-63',
    rule: 'collaborators are strings, handles without @.',
    proof: [
      'src/networks/instagram/rules.test.ts › each limit at, within and behind its edge › %s',
      'test/api/post-sets.happy.test.ts › create › every account type with all of its fields',
    ],
  },
  {
    id: 'shape-64',
    rule: 'audio, audioName, firstComment and ctaUrl are strings; videoCoverImage and videoCoverImageSeconds are seconds from 0 on, fractions allowed; all may be null.',
    proof: [
      'test/api/post-rules.happy.test.ts › the fields of a post › %s: what is required is enough, what is optional is null then',
      'test/api/post-rules.happy.test.ts › the fields of a post › %s takes %j alone',
      'test/api/post-rules.error.test.ts › a post of another shape, as a draft and scheduled › %s with %j',
    ],
  },
  {
    id: 'shape-65',
    rule: 'In a draft, caption, title, website and richCaption may be empty; absent they are 400 at any status.',
    proof: [
      'test/api/post-rules.happy.test.ts › the fields of a post › %s: what is required is enough, what is optional is null then',
      'test/api/post-rules.error.test.ts › a post of another shape, as a draft and scheduled › %s without %s, or with null there',
      'test/api/post-rules.error.test.ts › a post of another shape, as a draft and scheduled › without %s, or with null there',
    ],
  },
  {
    id: 'shape-66',
    rule: 'A field of another account type is 400 unless it is null or empty.',
    proof: [
      'test/api/post-sets.error.test.ts › the shape of a new set › %s',
      'test/api/post-sets.happy.test.ts › create › a draft is answered as it is stored, optional fields as null',
    ],
  },
  {
    id: 'shape-67',
    rule: 'Places of tags, enumerations and counts of posts are shape, and so 400 in a draft too.',
    proof: ['test/api/post-sets.error.test.ts › the shape of a new set › %s'],
  },
  {
    id: 'shape-68',
    rule: 'Rules of a network are 422, and are asked of scheduled sets alone.',
    proof: [
      'test/api/post-sets.happy.test.ts › create › a draft may break every rule of a network',
      'test/api/post-sets.error.test.ts › posts that cannot be published › when a change schedules, moves or changes a set',
    ],
  },
  {
    id: 'shape-69',
    rule: 'GET /v1/media-library/{id} gives one item of the library.',
    proof: [
      'test/api/media.happy.test.ts › an image: from its address through PENDING to READY, into the library, and back as the same bytes',
    ],
  },
  {
    id: 'shape-70',
    rule: 'Control characters of texts are stored and answered as sent. On the way to a network U+000B, U+2028 and their like become line breaks and others are dropped, in every text; counts and rules see the result, and validate warns.',
    proof: [
      'test/api/post-set-validation.happy.test.ts › control characters are stored and answered as sent; counted is what goes out, and a warning says what that is',
      'src/networks/kit/plain-post.test.ts › every text of a post is plain, wherever it stands',
      'src/networks/kit/plain-post.test.ts › a text of nothing but control characters is none: %s',
      'test/engine/plain-texts.test.ts › %s',
    ],
  },
]
