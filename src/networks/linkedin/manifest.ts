import Type from 'typebox'
import { firstCommentOption } from '../kit/first-comment.ts'
import { formOf, limitsReadOn } from '../kit/limits.ts'
import type { DefaultField, Limit, Manifest } from '../network.ts'

const LEARN = 'https://learn.microsoft.com/en-us/linkedin'
export const POSTS_PAGE = `${LEARN}/marketing/community-management/shares/posts-api`
export const IMAGES_PAGE = `${LEARN}/marketing/community-management/shares/images-api`
export const DOCUMENTS_PAGE = `${LEARN}/marketing/community-management/shares/documents-api`
export const VIDEOS_PAGE = `${LEARN}/marketing/community-management/shares/videos-api`
const COMMENTS_PAGE = `${LEARN}/marketing/community-management/shares/comments-api`
const MULTI_IMAGE_PAGE = `${LEARN}/marketing/community-management/shares/multiimage-post-api`
export const VERSIONS_PAGE = `${LEARN}/marketing/versioning`
const limit = limitsReadOn('2026-11-21')
const documentLimit = limitsReadOn('2026-11-30')
const cardLimit = limitsReadOn('2026-11-30')

/** Where a page leaves a number open, and what is done about it. */
const open = {
  caption:
    'The page gives no number. The site takes 3,000 characters; code units of the text as people see it are counted, which lets nothing pass that another way of counting would refuse.',
  comment: 'The page gives no number; it is what the site takes. Code units are never fewer than characters.',
  card: 'The page says "less than"; other programs were refused by these numbers.',
  title: 'The page gives it for the title of an article; for those of videos and documents it gives none.',
  documentBytes: 'The page says 100 MB, of 1,000 or of 1,024 bytes.',
  imageBytes: 'The page gives no size. Other programs keep to 5 or to 8 MB; the smaller one fits both.',
  videoMinBytes: 'The page says 75 KB, of 1,000 or of 1,024 bytes.',
  videoMaxBytes: 'The page says 500 MB in one place; a field of it would hold 5 GB.',
}

/** Every number that rules, connector and simulator use. */
export const limits = {
  captionLength: limit(3000, 'UTF-16 code units', POSTS_PAGE, open.caption),
  images: limit(20, 'images', MULTI_IMAGE_PAGE),
  videos: limit(1, 'videos', VIDEOS_PAGE),
  altTextLength: limit(4086, 'UTF-16 code units', POSTS_PAGE),
  commentLength: limitsReadOn('2026-11-29')(1250, 'UTF-16 code units', COMMENTS_PAGE, open.comment),
  cardTitleLength: cardLimit(399, 'UTF-16 code units', POSTS_PAGE, open.card),
  cardDescriptionLength: cardLimit(4085, 'UTF-16 code units', POSTS_PAGE, open.card),
  cardSourceLength: cardLimit(8000, 'UTF-16 code units', POSTS_PAGE, open.card),
  titleLength: limit(400, 'UTF-16 code units', POSTS_PAGE, open.title),

  documents: documentLimit(1, 'documents', DOCUMENTS_PAGE),
  documentBytes: documentLimit(100_000_000, 'bytes', DOCUMENTS_PAGE, open.documentBytes),
  documentPages: documentLimit(300, 'pages', DOCUMENTS_PAGE),

  imagePixels: limit(36_152_320, 'pixels', IMAGES_PAGE),
  imageBytes: limit(5_000_000, 'bytes', IMAGES_PAGE, open.imageBytes),

  videoMinBytes: limit(76_800, 'bytes', VIDEOS_PAGE, open.videoMinBytes),
  videoMaxBytes: limit(500_000_000, 'bytes', VIDEOS_PAGE, open.videoMaxBytes),
  videoMinSeconds: limit(3, 'seconds', VIDEOS_PAGE),
  videoMaxSeconds: limit(1800, 'seconds', VIDEOS_PAGE),
  videoMinRatio: limit(1 / 2.4, 'width by height', VIDEOS_PAGE),
  videoMaxRatio: limit(2.4, 'width by height', VIDEOS_PAGE),
} as const satisfies Record<string, Limit>

const { images, videos, documents } = limits
export const form = formOf(null, limits.captionLength, { images, videos, documents })
/** The same of a post whose pictures become pages. */
export const formOfPages = formOf(null, limits.captionLength, { images: limits.documentPages, documents })

/** Who can see a post: `CONNECTIONS` is for people alone. */
export const VISIBILITIES = {
  LINKEDIN_PAGE: { PUBLIC: 'Everyone', LOGGED_IN: 'People who are signed in to LinkedIn' },
  LINKEDIN_PERSONAL: { PUBLIC: 'Everyone', CONNECTIONS: 'Connections' },
}

function visibility(accountType: keyof typeof VISIBILITIES, description: string): DefaultField {
  const titles = VISIBILITIES[accountType]
  const schema = Type.Enum(Object.keys(titles))
  const asked = { schema, titles, required: true, sandbox: 'PUBLIC' }
  return { name: 'visibility', accountTypes: [accountType], title: 'Who can see it', description, ...asked }
}

export const manifest: Manifest = {
  name: 'linkedin',
  title: 'LinkedIn',
  accountTypes: ['LINKEDIN_PAGE', 'LINKEDIN_PERSONAL'],
  forms: { LINKEDIN_PAGE: [form], LINKEDIN_PERSONAL: [form] },
  defaults: [
    visibility('LINKEDIN_PAGE', 'Everyone, or only people who are signed in to LinkedIn.'),
    visibility('LINKEDIN_PERSONAL', 'Everyone, or only the connections of the person.'),
    {
      name: 'linkCard',
      title: 'Link preview',
      description:
        'Whether a post without files shows a preview of the page that its first link leads to. It does, as long as nothing is chosen.',
      schema: Type.Enum(['AUTO', 'OFF']),
      titles: { AUTO: 'Show a preview of the first link', OFF: 'No preview' },
      required: false,
    },
    {
      name: 'documentTitle',
      option: 'only',
      title: 'Document title',
      description:
        'Shown above a PDF, which has the name of its file without one. Several pictures become the pages of a document when it has a title.',
      schema: Type.String(),
      required: false,
    },
    firstCommentOption,
    {
      name: 'comments',
      option: false,
      title: 'First comments',
      description:
        'Whether LinkedIn lets the account comment, which takes a permission of its own. It is learned at each sign-in.',
      schema: Type.Boolean(),
      required: false,
      sandbox: true,
    },
  ],
  limits,
  endpoints: {
    api: { default: 'https://api.linkedin.com', setting: 'API_URL' },
    // The pages of the sign-in, its tokens, and permalinks.
    web: { default: 'https://www.linkedin.com', setting: 'WEB_URL' },
  },
  settings: {
    API_VERSION: {
      description: `Version of the API, year and month. LinkedIn ends each about a year after it came (${VERSIONS_PAGE}).`,
      default: '202609',
      ends: { '202601': '2027-01-15', '202602': '2027-02-15', '202603': '2027-03-16', '202609': '2027-09-15' },
    },
    CLIENT_ID: { description: 'Client ID of your app at LinkedIn.', sandbox: 'sandbox-member-app' },
    CLIENT_SECRET: {
      description: 'Primary client secret of that app.',
      secret: true,
      sandbox: 'sandbox-member-secret',
    },
    COMMENTS: {
      description:
        'on: the sign-in asks for the permissions of first comments too. LinkedIn refuses a sign-in that asks for more than the app has, so it is off at first.',
      default: 'off',
      sandbox: 'on',
      listOf: ['on', 'off'],
    },
    PAGE_CLIENT_ID: {
      app: 'LinkedIn, pages',
      description:
        'Client ID of the app that has the Community Management API, for pages. Without it CLIENT_ID is used.',
      sandbox: 'sandbox-page-app',
    },
    PAGE_CLIENT_SECRET: {
      description: 'Primary client secret of the app for pages.',
      secret: true,
      sandbox: 'sandbox-page-secret',
    },
  },
  // The documents name none. It is also the time after which a second identical call overtakes the first no more.
  listingDelayMs: 60_000,
  idempotentPublish: false,
  repeats: true,
}
