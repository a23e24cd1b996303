const SOCIAL_SET = '019a9c6e-0b1f-7c3d-9a52-3f6f0e6b8d10'
const POST_SET = '019a9c70-52aa-7b10-8f0e-1c2d3e4f5a6b'
const MEDIA = '019a9c6f-91d4-7e55-b1a0-5d6c7b8a9f01'
const FILE = `https://almanac.example/media/${MEDIA}`

const createdPost = {
  accountType: 'BLUESKY',
  caption: 'The new season starts on Monday.',
  media: [{ mediaLibraryId: MEDIA, altText: 'A poster: season two' }],
}
const accounts = [
  {
    id: '019a9c6e-4c55-7d21-8b3e-7f8091a2b3c4',
    type: 'BLUESKY',
    name: 'Corner Theatre',
    username: 'corner.example',
    profileUrl: 'https://social.example/profile/corner.example',
    avatarUrl: null,
    status: 'CONNECTED',
    statusReason: null,
    connectedAt: '2026-11-01T09:00:00.000Z',
    hold: null,
  },
]

/** Examples by the name of a schema; a test holds each against its schema. */
export const EXAMPLES: Readonly<Record<string, object>> = {
  PostSetCreate: {
    socialSetId: SOCIAL_SET,
    scheduledAt: '2026-12-01T09:30:00Z',
    status: 'SCHEDULED',
    approval: 'NONE',
    posts: [createdPost],
  },
  PostSetValidation: {
    valid: false,
    problems: [
      {
        code: 'post:caption_too_long',
        message: 'The caption has 312 characters; the network takes 300.',
        path: 'posts[0].caption',
        pointer: '#/posts/0/caption',
        accountType: 'BLUESKY',
        limit: 300,
        actual: 312,
      },
    ],
    warnings: [],
    counts: [{ path: 'posts[0].caption', accountType: 'BLUESKY', actual: 312, limit: 300 }],
  },
  PostSetUpdate: { scheduledAt: '2026-12-02T09:30:00+01:00' },
  PostSet: {
    id: POST_SET,
    socialSetId: SOCIAL_SET,
    scheduledAt: '2026-12-01T09:30:00.000Z',
    status: 'PUBLISHED',
    posts: [
      {
        id: '019a9c70-52ab-7c44-9d3f-2a1b0c9d8e7f',
        accountType: 'BLUESKY',
        caption: createdPost.caption,
        options: null,
        fit: 'REFUSE',
        media: [
          {
            id: '019a9c70-52ac-7f02-a6b5-c4d3e2f1a0b9',
            mediaLibraryId: MEDIA,
            altText: 'A poster: season two',
            title: null,
            description: null,
            link: null,
            tags: [],
            crop: null,
            type: 'IMAGE',
            url: `${FILE}/original?e=1764633600&s=signature`,
            thumbnailUrl: `${FILE}/thumbnail?e=1764633600&s=signature`,
            width: 1600,
            height: 900,
            durationMs: null,
          },
        ],
        result: {
          status: 'POSTED',
          providerId: 'at://did:plc:example/post/3k2a',
          permalink: 'https://social.example/profile/corner.example/post/3k2a',
        },
      },
    ],
    labelsId: [],
    approval: 'NONE',
    isLocked: false,
    version: 3,
    createdAt: '2026-11-20T08:00:00.000Z',
    updatedAt: '2026-12-01T09:30:02.000Z',
  },
  NoteCreate: {
    socialSetId: SOCIAL_SET,
    content: 'Ask for the new photos',
    hexColor: '#fff0db',
    scheduledAt: '2026-12-01T09:00:00',
    repeat: { interval: 'MONTH', occurrences: 3 },
  },
  NoteUpdate: { content: 'Ask for the new photos, and the poster' },
  Note: {
    id: '019a9c71-6b2e-7f31-8c4d-3b2a1c0d9e8f',
    socialSetId: SOCIAL_SET,
    type: 'RECURRING',
    source: { type: 'APP' },
    content: 'Ask for the new photos',
    hexColor: '#fff0db',
    scheduledAt: '2026-12-01T08:00:00.000Z',
    createdAt: '2026-11-20T08:00:00.000Z',
  },
  SocialSet: {
    id: SOCIAL_SET,
    name: 'Corner Theatre',
    timezone: 'Europe/Berlin',
    color: '#1f7a5c',
    fit: 'REFUSE',
    createdAt: '2026-11-01T08:59:00.000Z',
    hold: null,
    accounts,
  },
  Label: {
    id: '019a9c6e-7d20-7b64-8c11-2f3e4d5c6b7a',
    name: 'Autumn season',
    color: '#ff8800',
    createdAt: '2026-11-02T10:15:00.000Z',
  },
  MediaUploadCreate: {
    socialSetId: SOCIAL_SET,
    url: 'https://files.example/poster.jpg',
    altText: 'A poster: season two',
  },
  Problem: {
    type: 'https://almanac.example/docs/errors/request:invalid_body',
    title: 'The body has a wrong, missing or unknown field',
    status: 400,
    detail: 'posts[0].caption is required.',
    code: 'request:invalid_body',
    message: 'posts[0].caption is required.',
    requestId: '019a9c71-0d2e-7a61-bb1c-9e8d7c6b5a40',
    errors: [
      {
        code: 'request:invalid_body',
        message: 'posts[0].caption is required.',
        path: 'posts[0].caption',
        pointer: '#/posts/0/caption',
        accountType: 'BLUESKY',
      },
    ],
  },
}
