/** Numbers of the interface. Each stands here once; schemas, rules and docs take them from here. */
export const LIMITS = {
  postsPerSet: { min: 1, max: 11 },
  postSetOccurrences: { min: 2, max: 50 },
  noteOccurrences: { min: 2, max: 100 },
  noteCodePoints: { min: 1, max: 1024 },
  noteRangeDays: 366,
  searchCodePoints: 3,
  page: { defaultSize: 25, maxSize: 100, maxReach: 10_000 },
  /** Lists count exactly up to here. */
  exactTotal: 10_000,
  pendingUploadsPerSocialSet: 5,
  activeKeysPerAccount: 10,
  /** Requests without a valid key. */
  requestsPerSecondPerAddress: 10,
  /** Requests of one person's dashboard. */
  requestsPerSecondPerMember: 50,
  scheduledAt: { from: '2000-01-01T00:00:00.000Z', before: '2101-01-01T00:00:00.000Z' },
  nameCodePoints: 200,
  labelCodePoints: 60,
  /** RFC 5321, 4.5.3.1.3: a path has 256 octets, its angle brackets included. */
  emailCharacters: 254,
  /** Code points of a new password. */
  password: { min: 10, max: 1_000 },
  invitationDays: 7,
  /** A new mail address that waits for an owner. */
  emailChangeDays: 14,
  openInvitationsPerAccount: 100,
  urlCharacters: 2048,
  metadataCodePoints: 5_000,
  captionCodePoints: 65_000,
  /** All captions of a set together: a series writes them once for each occurrence. */
  captionsOfSetCodePoints: 100_000,
  mediaPerPost: 50,
  /** Pixels of an imported picture. */
  picturePixels: 120_000_000,
  /** Bytes of an imported picture that its decoder has to hold at once. A 60-megapixel photo has 180 MB. */
  pictureDecodedBytes: 256_000_000,
  tagsPerMedia: 100,
  collaborators: 100,
  richCaptionSegments: 1_000,
  /** Of the header Idempotency-Key. */
  idempotencyKeyCharacters: { min: 1, max: 255 },
  bodyBytes: 1_048_576,
  /** A stream of events is never silent for longer. */
  eventBeatSeconds: 20,
  /** A sign-in waits no longer for its turn. */
  signInWaitSeconds: 15,
  /** Of routes that answer without a session: nothing that they take is long. */
  openBodyBytes: 16_384,
  /** Keys and elements of a body in all: three times what the fullest set of real posts has. */
  bodyElements: 20_000,
  /** Lists and objects of a body that lie in each other. */
  bodyDepth: 50,
  /** Problems that an answer lists. */
  problems: 100,
} as const
