/**
 * Numbers of the API. Each is here once; schemas, rules and docs take them from here. The dashboard is built with those that it
 * reads, so each is an export of its own.
 */

export const postsPerSet = { min: 1, max: 11 } as const
/**
 * Events: page size, how long a request may wait, how many requests of an account may wait at once in a process, and
 * how long events are kept.
 */
export const events = { defaultSize: 50, maxSize: 200, waitSeconds: 20, waiting: 5, keptDays: 30 } as const
/**
 * Agents (`/mcp`). `perSecond`: messages of one account to one process; only calls count toward its rate. `waitMs`:
 * how long a call over the rate waits. `importWaitMs`: how long a call waits for its file.
 */
export const mcp = { perSecond: 50, waitMs: 2_000, importWaitMs: 20_000 } as const
/** The largest daily budget that the creator of an agent key may set. */
export const agentBudget = { postSets: 10_000, uploadBytes: 1_000_000_000_000 } as const
/** Open webhooks of an account, and limits of each. `keptDays`: for what was sent, and for a closed webhook. */
export const webhooks = {
  perAccount: 20,
  descriptionCodePoints: 200,
  socialSets: 1_000,
  ignoredKeys: 20,
  oldSecretHours: 24,
  keptDays: 30,
} as const
/** Post sets in one request, and the most days by which it moves them, back or ahead. */
export const postSetsAtOnce = 100
export const movedDays = 3_660
/** One request that creates many: sets, posts in all of them, and the size of its body. */
export const bulk = { postSets: 100, posts: 400, bodyBytes: 8_388_608, bodyElements: 100_000 } as const
/** Library files in one request. */
export const filesAtOnce = 200
export const postSetOccurrences = { min: 2, max: 50 } as const
export const noteOccurrences = { min: 2, max: 100 } as const
export const noteCodePoints = { min: 1, max: 1024 } as const
export const noteRangeDays = 366
/** Notes in one list. */
export const listedNotes = 10_000
export const searchCodePoints = 3
export const page = { defaultSize: 25, maxSize: 100, maxReach: 10_000 } as const
/** Lists count exactly up to this number. */
export const exactTotal = 10_000
export const pendingUploadsPerSocialSet = 5
/**
 * Limits of uploads that clients send: `each` for one person or key in a social set, `eachOfFull` while the social
 * set has `perSocialSet`. Uploads that are still arriving count too, except after `idleMinutes` without a byte.
 */
export const openUploads = { each: 20, perSocialSet: 100, eachOfFull: 5, idleMinutes: 60 } as const
/** Unfinished uploads of a social set that are listed. */
export const unfinishedUploadsShown = 200
/** The largest image or video; documents have a smaller limit. */
export const mediaBytes = 1024 ** 3
/** The largest document. */
export const documentBytes = 100_000_000
export const documentPages = 300
/** How long an upload that the client sends waits for its next byte. */
export const uploadHours = 24
export const activeKeysPerAccount = 10
/** Requests without a valid key. */
export const requestsPerSecondPerAddress = 10
/** Requests of an address for pages, and for the files that pages load, in one process. */
export const pages = { perSecond: 100, filesPerSecond: 1_000 } as const
/** Requests of an account that send or ask for pieces of uploads; they do not count toward its rate. */
export const piecesPerSecond = 100
/** Requests of one person's dashboard. */
export const requestsPerSecondPerMember = 50
/**
 * Bytes that a process answers to one person's dashboard, in one second and in a few; smaller answers are not
 * counted.
 */
export const answersOfMember = { perSecond: 8_000_000, atOnce: 16_000_000, uncounted: 65_536 } as const
export const scheduledAt = { from: '2000-01-01T00:00:00.000Z', before: '2101-01-01T00:00:00.000Z' } as const
export const nameCodePoints = 200
export const labelCodePoints = 60
/** Length of an external id of a post set. */
export const externalIdCodePoints = 200
/** RFC 5321, 4.5.3.1.3: a path has 256 octets, including its angle brackets. */
export const emailCharacters = 254
/** Code points of a new password. */
export const password = { min: 10, max: 1_000 } as const
/** Saved times of the week of a social set. */
export const savedTimes = 70
/** Free slots in one answer, and how far ahead they are searched. */
export const freeSlots = { default: 10, max: 50, weeks: 26 } as const
/** Groups of a social set, and the size of one. */
export const hashtagGroups = { perSocialSet: 50, nameCodePoints: 60, tags: 30, tagCodePoints: 100 } as const
/** What is shown of a caption among others, and what is read for it: line breaks and spaces that follow another are left out. */
export const excerpt = { codePoints: 120, readCodePoints: 480 } as const
/** Unsaved texts of a member in an account; bytes as JSON. */
export const keptDrafts = {
  perMember: 100,
  bytes: 262_144,
  excerptCodePoints: 1_000,
  sequence: 1e15,
} as const
/** Imported calendars of a social set; their notes in the window, which extends this many days back and ahead. */
export const importedCalendars = {
  perSocialSet: 20,
  notes: 5_000,
  daysBack: 30,
  daysAhead: 366,
  daysOfEvent: 31,
} as const
/** Size of an imported calendar. */
export const calendarBytes = 10_000_000
/**
 * Texts in the history of posts that an account stores in full per day, in bytes as stored. Beyond this, changes are
 * merged.
 */
export const historyBytesPerDay = 16_777_216
/** Calendars that others subscribe to: days, post sets and notes, texts, size, and the suggested refresh interval. */
export const calendarFeeds = {
  daysBack: 90,
  daysAhead: 366,
  entries: 2_000,
  captionCodePoints: 2_000,
  titleCodePoints: 100,
  bytes: 5_000_000,
  everyMinutes: 60,
  postMinutes: 15,
  /** Of one calendar, by one address of the network. */
  requestsPerMinute: 60,
} as const
/** The most members who can be required to approve a post. */
export const reviewers = 10
/**
 * Comments on a post: length, number by members, and number by one person in a minute. `guests`: number by one
 * guest, and by all of a link.
 */
export const comments = {
  codePoints: 2_000,
  mentions: 20,
  perPostSet: 300,
  perMinute: 20,
  guests: { each: 100, ofLink: 300 },
} as const
/** Links for guests. */
export const sharedCalendars = {
  openPerAccount: 100,
  nameCodePoints: 100,
  socialSets: 50,
  passcode: { min: 6, max: 100 },
  guestNameCodePoints: 80,
  /** Post sets that a guest approves by one request. */
  approvalsAtOnce: 100,
} as const
/** Limits for guests. Hours and days are how long links and cookies are valid. */
export const guestVisits = {
  /** Comments, notes and decisions within an hour: of a guest, and of all guests of a link. */
  writesPerHour: { guest: 300, link: 3_000 },
  /** Mails that confirm an address, within an hour. */
  mailsPerHour: { guest: 3, link: 30 },
  /** Requests in a second: of an address, and of all guests of a link. Every picture is one; of a visit, none is. */
  requestsPerSecond: { address: 200, link: 500, visit: 10 },
  /** Post sets of a page of the calendar, and notes beside them. */
  cardsPerPage: 500,
  /** Of a link: for one more, who never looked or has no name is forgotten. */
  guests: 1_000,
  /** Guests who come by a link within an hour from one address of the network: an office is one. */
  guestsPerHour: 100,
  /** Pages that an address of the network opens in a second: a visit begins with two, and an office is one address. */
  entriesPerSecond: 30,
  visitorsShown: 200,
  bodyBytes: 65_536,
  /** After the last look. */
  visitDays: 60,
  lookMinutes: 10,
  /** Of a member who looks at what guests see. */
  previewHours: 1,
  /** Of the way in that a mail has. */
  mailedEntryDays: 30,
  confirmHours: 24,
} as const
export const invitationDays = 7
/** How long a new email address waits for an owner. */
export const emailChangeDays = 14
export const openInvitationsPerAccount = 100
export const urlCharacters = 2048
export const metadataCodePoints = 5_000
export const captionCodePoints = 65_000
/** All captions of a set together: a series stores them once for each occurrence. */
export const captionsOfSetCodePoints = 100_000
export const mediaPerPost = 50
/** Parts that may follow a post as replies. */
export const threadParts = 24
/** Pixels of an imported picture. */
export const picturePixels = 120_000_000
/** The picture of a video that a browser draws and sends, before it is scaled down. */
export const poster = { bytes: 2_097_152, pixels: 4_194_304 } as const
/** Bytes of an imported picture that its decoder must hold at once. A 60-megapixel photo has 180 MB. */
export const pictureDecodedBytes = 256_000_000
export const tagsPerMedia = 100
export const optionsPerPost = 50
/** Length of a text option of a post: the longest comment that a network accepts. */
export const optionCodePoints = 10_000
/** Entries of a list option. */
export const optionEntries = 20
export const collaborators = 100
export const richCaptionSegments = 1_000
/** Length of the header Idempotency-Key. */
export const idempotencyKeyCharacters = { min: 1, max: 255 } as const
export const bodyBytes = 1_048_576
/** The longest silence of an event stream. */
export const eventBeatSeconds = 20
/** The longest that a sign-in waits for its turn. */
export const signInWaitSeconds = 15
/** Body of routes that answer without a session; they take nothing long. */
export const openBodyBytes = 16_384
/** Keys and elements of a body in all: three times those of the fullest set of real posts. */
export const bodyElements = 20_000
/** How deeply lists and objects of a body may be nested. */
export const bodyDepth = 50
/** Problems in one answer. */
export const problems = 100
