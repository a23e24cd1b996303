/**
 * Numbers of the API. Each is here once; schemas, rules and docs take them from here. The dashboard is built with those that it
 * reads, so each is an export of its own.
 */

export const postsPerSet = { min: 1, max: 11 } as const
/** Events: of a page, how long a request may wait, how many of an account may at once in a process, and for how long they are kept. */
export const events = { defaultSize: 50, maxSize: 200, waitSeconds: 20, waiting: 5, keptDays: 30 } as const
/**
 * Of agents (`/mcp`): `perSecond` are messages of one account to one process, of which only calls count for its rate; `waitMs` is how
 * long a call waits that is over it, and `importWaitMs` one for its file.
 */
export const mcp = { perSecond: 50, waitMs: 2_000, importWaitMs: 20_000 } as const
/** What a key for an agent may bring a day, at most: what its maker may say. */
export const agentBudget = { postSets: 10_000, uploadBytes: 1_000_000_000_000 } as const
/** Where events are sent: open ones of an account, and of one of them. `keptDays`: of what was sent, and of one that is closed. */
export const webhooks = {
  perAccount: 20,
  descriptionCodePoints: 200,
  socialSets: 1_000,
  ignoredKeys: 20,
  oldSecretHours: 24,
  keptDays: 30,
} as const
/** Post sets that one request is about, and how many days it moves them, back or ahead. */
export const postSetsAtOnce = 100
export const movedDays = 3_660
/** One request that creates many: sets, posts of all of them, and what its body may hold. */
export const bulk = { postSets: 100, posts: 400, bodyBytes: 8_388_608, bodyElements: 100_000 } as const
/** Files of the library to which one request does something. */
export const filesAtOnce = 200
export const postSetOccurrences = { min: 2, max: 50 } as const
export const noteOccurrences = { min: 2, max: 100 } as const
export const noteCodePoints = { min: 1, max: 1024 } as const
export const noteRangeDays = 366
/** Notes that one list has. */
export const listedNotes = 10_000
export const searchCodePoints = 3
export const page = { defaultSize: 25, maxSize: 100, maxReach: 10_000 } as const
/** Lists count exactly up to here. */
export const exactTotal = 10_000
export const pendingUploadsPerSocialSet = 5
/**
 * Uploads that a client sends are refused beyond: `each` of one person or key in a social set, `eachOfFull` while all of it together are
 * `perSocialSet`. Those whose bytes still arrive count too, but not when none has come for `idleMinutes`.
 */
export const openUploads = { each: 20, perSocialSet: 100, eachOfFull: 5, idleMinutes: 60 } as const
/** Unfinished uploads of a social set that are shown. */
export const unfinishedUploadsShown = 200
/** The largest file, image or video; documents have less. */
export const mediaBytes = 1024 ** 3
/** Of a document. */
export const documentBytes = 100_000_000
export const documentPages = 300
/** How long an upload that the client sends waits for its next byte. */
export const uploadHours = 24
export const activeKeysPerAccount = 10
/** Requests without a valid key. */
export const requestsPerSecondPerAddress = 10
/** Requests of an address for pages, and for the files that these are made of, of one process. */
export const pages = { perSecond: 100, filesPerSecond: 1_000 } as const
/** Requests of an account that send or ask for pieces of uploads, which their bytes pay for. */
export const piecesPerSecond = 100
/** Requests of one person's dashboard. */
export const requestsPerSecondPerMember = 50
/** Bytes that one person's dashboard is answered by a process, in a second and within few of them; what is smaller is not counted. */
export const answersOfMember = { perSecond: 8_000_000, atOnce: 16_000_000, uncounted: 65_536 } as const
export const scheduledAt = { from: '2000-01-01T00:00:00.000Z', before: '2101-01-01T00:00:00.000Z' } as const
export const nameCodePoints = 200
export const labelCodePoints = 60
/** Of the name that a program gives to a post set. */
export const externalIdCodePoints = 200
/** RFC 5321, 4.5.3.1.3: a path has 256 octets, its angle brackets included. */
export const emailCharacters = 254
/** Code points of a new password. */
export const password = { min: 10, max: 1_000 } as const
/** Times of the week that a social set saves. */
export const savedTimes = 70
/** Free slots that one request lists, and how far they are looked for. */
export const freeSlots = { default: 10, max: 50, weeks: 26 } as const
/** Of a social set, and the parts of one. */
export const hashtagGroups = { perSocialSet: 50, nameCodePoints: 60, tags: 30, tagCodePoints: 100 } as const
/** What is shown of a caption among others, and what is read for it: line breaks and spaces that follow another are left out. */
export const excerpt = { codePoints: 120, readCodePoints: 480 } as const
/** What a member has typed and not saved, in an account; bytes as JSON. */
export const keptDrafts = {
  perMember: 100,
  bytes: 262_144,
  excerptCodePoints: 1_000,
  sequence: 1e15,
} as const
/** Calendars of others in a social set; notes of theirs on days of the window, which is so many days back and ahead. */
export const importedCalendars = {
  perSocialSet: 20,
  notes: 5_000,
  daysBack: 30,
  daysAhead: 366,
  daysOfEvent: 31,
} as const
/** Of a calendar that is imported. */
export const calendarBytes = 10_000_000
/** Texts of the history of posts that an account keeps of a day in full, as they are stored. Beyond it changes are joined. */
export const historyBytesPerDay = 16_777_216
/** Of a calendar that others read: its days, post sets and notes, texts, size, and how often programs should ask for it. */
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
/** Different members who have to approve a post, at most. */
export const reviewers = 10
/**
 * What people write about a post: of one, of members about a post, and of one person in a minute. `guests` about a post: of one, and of all
 * of a link.
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
/** What guests do by them. Hours and days are how long what they give is good for. */
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
/** A new mail address that waits for an owner. */
export const emailChangeDays = 14
export const openInvitationsPerAccount = 100
export const urlCharacters = 2048
export const metadataCodePoints = 5_000
export const captionCodePoints = 65_000
/** All captions of a set together: a series writes them once for each occurrence. */
export const captionsOfSetCodePoints = 100_000
export const mediaPerPost = 50
/** What may come behind a post as replies to it. */
export const threadParts = 24
/** Pixels of an imported picture. */
export const picturePixels = 120_000_000
/** The picture of a video that a browser draws and sends, before it is made small. */
export const poster = { bytes: 2_097_152, pixels: 4_194_304 } as const
/** Bytes of an imported picture that its decoder has to hold at once. A 60-megapixel photo has 180 MB. */
export const pictureDecodedBytes = 256_000_000
export const tagsPerMedia = 100
export const optionsPerPost = 50
/** Of a text among the options of a post: the longest comment that a network takes. */
export const optionCodePoints = 10_000
/** Of one that is a list. */
export const optionEntries = 20
export const collaborators = 100
export const richCaptionSegments = 1_000
/** Of the header Idempotency-Key. */
export const idempotencyKeyCharacters = { min: 1, max: 255 } as const
export const bodyBytes = 1_048_576
/** A stream of events is never silent for longer. */
export const eventBeatSeconds = 20
/** A sign-in waits no longer for its turn. */
export const signInWaitSeconds = 15
/** Of routes that answer without a session: nothing that they take is long. */
export const openBodyBytes = 16_384
/** Keys and elements of a body in all: three times what the fullest set of real posts has. */
export const bodyElements = 20_000
/** Lists and objects of a body that lie in each other. */
export const bodyDepth = 50
/** Problems that an answer lists. */
export const problems = 100
