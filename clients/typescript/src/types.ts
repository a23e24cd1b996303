// Written from the contract of the service by scripts/make-client-types.ts: change it there.

/** A value of the service that this version of the client does not know. */
export type Unknown = string & {}

/** Account types of posts. */
export type AccountType =
  | 'INSTAGRAM'
  | 'FACEBOOK'
  | 'TWITTER'
  | 'LINKEDIN_PAGE'
  | 'LINKEDIN_PERSONAL'
  | 'GMB'
  | 'PINTEREST'
  | 'TIKTOK'
  | 'YOUTUBE'
  | 'THREADS'
  | 'BLUESKY'

/** Types of events. Later versions of the service may have more. */
export type EventType =
  | 'post_set.created'
  | 'post_set.updated'
  | 'post_set.scheduled'
  | 'post_set.parked'
  | 'post_set.deleted'
  | 'post_set.restored'
  | 'post_set.publishing'
  | 'post_set.published'
  | 'post_set.approval_changed'
  | 'post.posted'
  | 'post.failed'
  | 'post.delivered'
  | 'post.delivery_ended'
  | 'note.created'
  | 'note.updated'
  | 'note.deleted'
  | 'media_upload.ready'
  | 'media_upload.failed'
  | 'media.deleted'
  | 'connection.connected'
  | 'connection.reconnect_required'
  | 'connection.expires_soon'
  | 'connection.closed'
  | 'account.held'
  | 'account.released'
  | 'social_set.held'
  | 'social_set.released'
  | 'connection.held'
  | 'connection.released'

/** A page of a list. */
export interface Page<T> {
  data: T[]
  pagination: {
    page: number
    size: number
    /** Exact up to 10,000. */
    total: number
    totalPages: number
    totalIsExact: boolean
  }
}

export interface AccountName {
  id: string
  name: string
}

export interface Agreement {
  /** With this value, of the post or otherwise of the account, nothing of it is decided here. Null: always decided here. */
  unless: {
    option: string
    value: string
  } | null
  /** A switch, off at first, which shows these options. With it on one of them has to be. */
  disclosure: {
    title: string
    description: string
    options: {
      option: string
      title: string
      description: string
    }[]
    /** Where it is on and none of its options is. */
    missing: string
    /** What follows, by the first of these options that is on: for pictures, for a video. */
    labels: {
      option: string
      image: string
      video: string
    }[]
  }
  /** A value that cannot be chosen while another option (`by`) is on. */
  exclusions: {
    option: string
    value: string
    by: string
    message: string
  }[]
  /** What posting means: the first whose option is on, or has none. */
  declarations: {
    option: string | null
    text: string
    /** Words of `text`. */
    links: {
      text: string
      url: string
    }[]
  }[]
  /** For who looks for the post right after it is published. */
  afterwards: string
}

export interface AlmanacEvent {
  id: string
  /** Position of the event in its account: from 1, without gaps. */
  position: number
  type: EventType | Unknown
  /** ISO 8601, UTC, milliseconds */
  timestamp: string
  /** Null: the whole account. */
  socialSetId: string | null
  data: {
    /** Who did it, if known. */
    actor?: {
      kind: 'USER' | 'API_KEY' | 'REVIEWER' | 'PUBLISHER' | 'OPERATOR' | Unknown
      /** Names longer than 40 bytes are cut. */
      name: string
      /** Id of the API key that did it. */
      keyId?: string | undefined
      /** An agent did it, with that key. */
      agent?: true | undefined
    } | undefined
    postSetId?: string | undefined
    /** Of a post set: DRAFT, SCHEDULED, PUBLISHING, PUBLISHED. Of others as their answers say. */
    status?: string | undefined
    /** ISO 8601, UTC, milliseconds */
    scheduledAt?: string | undefined
    approval?: 'NONE' | 'PENDING' | 'EXTERNAL_PENDING' | 'APPROVED' | 'DENIED' | Unknown | undefined
    version?: number | undefined
    /** Names of the changed fields. */
    changed?: string[] | undefined
    /** None for a set that was permanently deleted. */
    posts?: {
      id: string
      accountType: AccountType | Unknown
      /** Null: none yet. */
      result: 'POSTED' | 'FAILED' | Unknown | null
      /** For a post that is `POSTED` but was not published directly. */
      delivery?: 'DIRECT' | 'INBOX' | 'INBOX_ENDED' | Unknown | undefined
    }[] | undefined
    postId?: string | undefined
    accountType?: AccountType | Unknown | undefined
    result?: 'POSTED' | 'FAILED' | Unknown | undefined
    /** For a post that is `POSTED` but was not published directly. */
    delivery?: 'DIRECT' | 'INBOX' | 'INBOX_ENDED' | Unknown | undefined
    /** Which attempt to send the post it was, from 1. */
    attempt?: number | undefined
    noteId?: string | undefined
    mediaUploadId?: string | undefined
    mediaId?: string | undefined
    /** Error code of an upload. */
    error?: string | undefined
    connectionId?: string | undefined
    holdId?: string | undefined
  }
}

export interface BlueskyPost {
  id: string
  accountType: 'BLUESKY'
  caption: string
  media: PostMedia[]
  /** Extension: further parts, published as replies. Absent: none. */
  thread?: {
    id: string
    caption: string
    media: PostMedia[]
  }[] | undefined
  result?: PostResult | undefined
  options: Record<string, string | number | boolean | string[] | null> | null
  fit: 'CROP' | 'PAD' | 'REFUSE' | null
}

export interface BlueskyPostInput {
  id?: string | null | undefined
  accountType: 'BLUESKY'
  caption: string
  media: PostMediaInput[]
  /** On update: ignored, may be sent as answered. */
  result?: unknown | undefined
  /** Extension: further parts, published in this order, each as a reply to the one before. On update, omitted parts stay; null or an empty array removes them. */
  thread?: {
    id?: string | null | undefined
    caption: string
    media: PostMediaInput[]
  }[] | null | undefined
  options?: Record<string, string | number | boolean | string[] | null> | null | undefined
  fit?: 'CROP' | 'PAD' | 'REFUSE' | null | undefined
}

export interface BulkEntry {
  /** Position of the set in the request, from 0. */
  index: number
  status: 'CREATED' | 'UPDATED' | 'UNCHANGED' | 'REFUSED' | Unknown
  postSet?: PostSet | undefined
  problem?: {
    code: string
    status: number
    message: string
    errors: ProblemEntry[]
  } | undefined
}

export interface CaptionCount {
  /** Which one, as `posts[0].caption`. */
  path: string
  accountType: AccountType | Unknown
  actual: number
  limit: number
  /** Extension. If it is too long: how many UTF-16 code units from its start the network accepts, without splitting an address. */
  fits?: number | undefined
}

export interface ConnectedAccount {
  id: string
  type: AccountType | Unknown
  name: string
  username: string | null
  profileUrl: string | null
  avatarUrl: string | null
  status: 'CONNECTED' | 'RECONNECT_REQUIRED' | Unknown
  statusReason: string | null
  connectedAt: string
  hold: HoldShown | null
}

export interface EventPage {
  data: AlmanacEvent[]
  /** Use it as `after` of the next request. */
  nextAfter: number
}

export interface EventQuery {
  /** Events after this position; 0: from the first. Absent: no events, only `nextAfter`, from now on. */
  after?: number | undefined
  /** Events of this type. Repeatable. */
  types?: EventType[] | undefined
  /** Events of this social set. */
  socialSetId?: string | undefined
  limit?: number | undefined
  /** Seconds to hold the answer until there is an event. */
  wait?: number | undefined
}

export interface FacebookPost {
  id: string
  accountType: 'FACEBOOK'
  caption: string
  media: PostMedia[]
  result?: PostResult | undefined
  type: 'TEXT' | 'IMAGE' | 'VIDEO' | 'CAROUSEL' | 'MULTI_IMAGE' | 'REEL' | 'STORY'
  /** The caption as segments. Simplest form: one segment with the whole caption. */
  richCaption: RichCaptionSegment[]
  videoCoverImageSeconds: number | null
  options: Record<string, string | number | boolean | string[] | null> | null
  fit: 'CROP' | 'PAD' | 'REFUSE' | null
}

export interface FacebookPostInput {
  id?: string | null | undefined
  accountType: 'FACEBOOK'
  caption: string
  media: PostMediaInput[]
  /** On update: ignored, may be sent as answered. */
  result?: unknown | undefined
  type: 'TEXT' | 'IMAGE' | 'VIDEO' | 'CAROUSEL' | 'MULTI_IMAGE' | 'REEL' | 'STORY'
  /** The caption as segments. Simplest form: one segment with the whole caption. */
  richCaption: RichCaptionSegment[]
  videoCoverImageSeconds?: number | null | undefined
  options?: Record<string, string | number | boolean | string[] | null> | null | undefined
  fit?: 'CROP' | 'PAD' | 'REFUSE' | null | undefined
}

export interface FreeSlots {
  /** IANA name */
  timezone: string
  slots: {
    /** The moment, in UTC. */
    at: string
    /** In the time zone of the social set: `2026-11-24T09:00`. */
    wall: string
  }[]
}

export interface FreeSlotsQuery {
  /** ISO 8601; without an offset, in the time zone of the social set. Default and minimum: now. */
  from?: string | undefined
  limit?: number | undefined
}

export interface GmbPost {
  id: string
  accountType: 'GMB'
  caption: string
  media: PostMedia[]
  result?: PostResult | undefined
  ctaType: 'NONE' | 'SIGN_UP' | 'CALL' | 'SHOP' | 'LEARN_MORE' | 'ORDER' | 'BOOK'
  ctaUrl: string | null
  options: Record<string, string | number | boolean | string[] | null> | null
  fit: 'CROP' | 'PAD' | 'REFUSE' | null
}

export interface GmbPostInput {
  id?: string | null | undefined
  accountType: 'GMB'
  caption: string
  media: PostMediaInput[]
  /** On update: ignored, may be sent as answered. */
  result?: unknown | undefined
  ctaType: 'NONE' | 'SIGN_UP' | 'CALL' | 'SHOP' | 'LEARN_MORE' | 'ORDER' | 'BOOK'
  ctaUrl?: string | null | undefined
  options?: Record<string, string | number | boolean | string[] | null> | null | undefined
  fit?: 'CROP' | 'PAD' | 'REFUSE' | null | undefined
}

export interface HoldShown {
  since: string
  /** Name of the member, or operator */
  by: string
  reason: string
}

export interface InstagramPost {
  id: string
  accountType: 'INSTAGRAM'
  caption: string
  media: PostMedia[]
  result?: PostResult | undefined
  type: 'IMAGE' | 'CAROUSEL' | 'REEL' | 'STORY'
  /** Handles without @. An empty array means none. */
  collaborators: string[]
  firstComment: string | null
  audio: string | null
  audioName: string | null
  videoCoverImage: number | null
  options: Record<string, string | number | boolean | string[] | null> | null
  fit: 'CROP' | 'PAD' | 'REFUSE' | null
}

export interface InstagramPostInput {
  id?: string | null | undefined
  accountType: 'INSTAGRAM'
  caption: string
  media: PostMediaInput[]
  /** On update: ignored, may be sent as answered. */
  result?: unknown | undefined
  type: 'IMAGE' | 'CAROUSEL' | 'REEL' | 'STORY'
  /** Handles without @. An empty array means none. */
  collaborators: string[]
  firstComment?: string | null | undefined
  audio?: string | null | undefined
  audioName?: string | null | undefined
  videoCoverImage?: number | null | undefined
  options?: Record<string, string | number | boolean | string[] | null> | null | undefined
  fit?: 'CROP' | 'PAD' | 'REFUSE' | null | undefined
}

export interface Label {
  id: string
  name: string
  color: string | null
  createdAt: string
}

export interface LinkedinPagePost {
  id: string
  accountType: 'LINKEDIN_PAGE'
  caption: string
  media: PostMedia[]
  result?: PostResult | undefined
  /** The caption as segments. Simplest form: one segment with the whole caption. */
  richCaption: RichCaptionSegment[]
  options: Record<string, string | number | boolean | string[] | null> | null
  fit: 'CROP' | 'PAD' | 'REFUSE' | null
}

export interface LinkedinPagePostInput {
  id?: string | null | undefined
  accountType: 'LINKEDIN_PAGE'
  caption: string
  media: PostMediaInput[]
  /** On update: ignored, may be sent as answered. */
  result?: unknown | undefined
  /** The caption as segments. Simplest form: one segment with the whole caption. */
  richCaption: RichCaptionSegment[]
  options?: Record<string, string | number | boolean | string[] | null> | null | undefined
  fit?: 'CROP' | 'PAD' | 'REFUSE' | null | undefined
}

export interface LinkedinPersonalPost {
  id: string
  accountType: 'LINKEDIN_PERSONAL'
  caption: string
  media: PostMedia[]
  result?: PostResult | undefined
  /** The caption as segments. Simplest form: one segment with the whole caption. */
  richCaption: RichCaptionSegment[]
  options: Record<string, string | number | boolean | string[] | null> | null
  fit: 'CROP' | 'PAD' | 'REFUSE' | null
}

export interface LinkedinPersonalPostInput {
  id?: string | null | undefined
  accountType: 'LINKEDIN_PERSONAL'
  caption: string
  media: PostMediaInput[]
  /** On update: ignored, may be sent as answered. */
  result?: unknown | undefined
  /** The caption as segments. Simplest form: one segment with the whole caption. */
  richCaption: RichCaptionSegment[]
  options?: Record<string, string | number | boolean | string[] | null> | null | undefined
  fit?: 'CROP' | 'PAD' | 'REFUSE' | null | undefined
}

export interface MediaCrop {
  /** Left edge: 0 is that of the picture. */
  x: number
  /** Upper edge: 0 is that of the picture. */
  y: number
  /** Of the width of the picture. */
  width: number
  /** Of the height of the picture. */
  height: number
}

export interface MediaLibraryItem {
  /** UUIDv7 */
  id: string
  socialSetId: string
  type: 'IMAGE' | 'VIDEO' | 'DOCUMENT' | Unknown
  name: string
  mimeType: string
  bytes: number
  /** In pixels; for a document, that of its first page, in points. */
  width: number
  height: number
  /** Only for documents. */
  pages?: number | undefined
  durationMs: number | null
  /** Signed, valid at least 48 hours. */
  url: string
  thumbnailUrl: string | null
  altText: string | null
  source: {
    type: 'UPLOAD' | 'URL' | Unknown
    url?: string | undefined
  }
  /** ISO 8601, UTC, milliseconds */
  createdAt: string
}

export interface MediaListQuery {
  /** Social set to list. */
  socialSetId: string
  /** From 1. page × size is at most 10000. */
  page?: number | undefined
  size?: number | undefined
}

export interface MediaTag {
  /** 0 is the left edge, 1 the right edge. */
  x: number
  /** 0 is the top edge, 1 the bottom edge. */
  y: number
  /** Handle to tag, without a leading @. */
  text: string
}

export interface MediaUpload {
  /** UUIDv7 */
  id: string
  socialSetId: string
  url: string | null
  status: 'PENDING' | 'PROCESSING' | 'READY' | 'FAILED' | Unknown
  bytesReceived: number
  bytesTotal: number | null
  mediaLibraryId: string | null
  error: {
    code: string
    message: string
  } | null
  /** ISO 8601, UTC, milliseconds */
  createdAt: string
  /** ISO 8601, UTC, milliseconds */
  updatedAt: string
}

export interface MediaUploadCreate {
  socialSetId: string
  /** Public http or https address. */
  url: string
  name?: string | null | undefined
  altText?: string | null | undefined
}

export interface NetworkDescription {
  accountType: AccountType | Unknown
  /** Name of the network, explained at `GET /docs/networks/{network}`. */
  network: string
  /** Name for people. */
  title: string
  /** Fields of a post besides `accountType`, `caption`, `media` and `options`. */
  fields: {
    name: string
    required: boolean
    /** JSON Schema of one value. */
    schema: Record<string, unknown>
    picker: 'lines' | 'moment' | 'millisecond' | 'photo' | 'track' | 'board' | 'category' | 'audience' | 'language' | Unknown | null
    /** Key of its words for people: `field:title`, `option:TIKTOK:privacy`. */
    label: string
    /** Its group: the post itself, who sees it, what others may do, what must be disclosed. */
    group: 'post' | 'audience' | 'interaction' | 'disclosure' | Unknown
    /** Its position in the form, among fields and options. */
    order: number
    when: {
      field: string
      values: string[]
    } | null
  }[]
  /** Further parts that a post may have in its field `thread`, published as replies. Null: none. */
  thread: {
    /** The maximum number. */
    parts: number
  } | null
  /** What the field `options` of a post may hold; it overrides the default of the connected account. */
  options: {
    name: string
    /** For people. */
    title: string
    description: string
    /** JSON Schema of one value. */
    schema: Record<string, unknown>
    titles: Record<string, string> | null
    picker: 'lines' | 'moment' | 'millisecond' | 'photo' | 'track' | 'board' | 'category' | 'audience' | 'language' | Unknown | null
    /** Key of its words for people: `field:title`, `option:TIKTOK:privacy`. */
    label: string
    /** Its group: the post itself, who sees it, what others may do, what must be disclosed. */
    group: 'post' | 'audience' | 'interaction' | 'disclosure' | Unknown
    /** Its position in the form, among fields and options. */
    order: number
    /** Posts cannot be scheduled until it is chosen, here or for the account. */
    required: boolean
    /** In the dashboard, people choose it for each post, with nothing preselected; the default of the account is for programs. */
    perPost: boolean
    /** It only has an effect with such media. Null: always. */
    media: 'IMAGE' | 'VIDEO' | 'DOCUMENT' | Unknown | null
  }[]
  /** Kinds of posts: one, or one for each value of the field `type`. */
  forms: {
    type: string | null
    caption: {
      max: number
      /** How the network counts. */
      unit: string
    } | null
    media: {
      /** 0: text alone is enough. */
      min: number
      max: number
      /** Maximum number of images. */
      images: number
      /** Maximum number of videos. */
      videos: number
      /** Maximum number of documents, which cannot be combined with other media. */
      documents: number
      /** Whether images and videos can be combined. */
      mixed: boolean
    }
    /** Extension. Shapes of pictures that it accepts, width by height; `fit` converts others. Null: all shapes. */
    shape: {
      /** Width by height. Null: no limit. */
      minRatio: number | null
      /** Width by height. Null: no limit. */
      maxRatio: number | null
      /** The shape that a picture that is too tall gets. Null: `minRatio`. */
      tallRatio: number | null
      /** All have the shape of the first item, or its pixels. */
      alike: 'shape' | 'pixels' | Unknown | null
    } | null
    /** Names of the fields that it uses. Others stay empty. */
    fields: string[]
    /** Of these, texts that must not be empty where they are used. */
    demands: string[]
  }[]
  /** Settings that are chosen once for a connected account; most can be overridden for a post in `options`. */
  defaults: {
    name: string
    title: string
    description: string
    /** Posts cannot be scheduled until it is chosen. */
    required: boolean
    /** JSON Schema of one value. */
    schema: Record<string, unknown>
    titles: Record<string, string> | null
    picker: 'lines' | 'moment' | 'millisecond' | 'photo' | 'track' | 'board' | 'category' | 'audience' | 'language' | Unknown | null
  }[]
  /** What people must decide and agree to for each post in the dashboard, in the words of the network, in every language. Null: nothing. */
  agreement: Agreement | null
  /** Every number that the rules use. */
  limits: {
    name: string
    value: number
    unit: string
    /** Page that states it. */
    source: string
    /** Day on which the page was read. */
    read: string
    unsure: string | null
  }[]
}

export interface Note {
  /** Each occurrence of a recurring note has its own. */
  id: string
  socialSetId: string
  type: 'ONE_TIME' | 'RECURRING'
  source: {
    type: 'APP' | 'SHARED_CALENDAR' | 'GOOGLE_IMPORT'
  }
  content: string
  hexColor: '#faf785' | '#fff0db' | '#ffe5e5' | '#ffe4f7' | '#f2edff' | '#e1effc' | '#e4f8e2' | '#eee2d7' | '#f2f2f2'
  scheduledAt: string
  createdAt: string
}

export interface NoteCreate {
  socialSetId: string
  content: string
  hexColor: '#faf785' | '#fff0db' | '#ffe5e5' | '#ffe4f7' | '#f2edff' | '#e1effc' | '#e4f8e2' | '#eee2d7' | '#f2f2f2'
  /** ISO 8601. Without an offset, it is read in the time zone of the social set. */
  scheduledAt: string
  repeat?: NoteRepeat | null | undefined
}

export interface NoteListQuery {
  /** Social set to list. */
  socialSetId: string
  filters: {
    /** Pinned at or after. ISO 8601; without an offset, in the time zone of the social set. */
    startDate: string
    /** Pinned before. At most 366 calendar days after the start. */
    endDate: string
  }
}

export interface NoteRepeat {
  interval: 'DAY' | 'WEEK' | 'MONTH' | 'YEAR'
  /** In total, including the first. */
  occurrences: number
}

export interface NoteUpdate {
  content?: string | undefined
  hexColor?: '#faf785' | '#fff0db' | '#ffe5e5' | '#ffe4f7' | '#f2edff' | '#e1effc' | '#e4f8e2' | '#eee2d7' | '#f2f2f2' | undefined
  /** ISO 8601. Without an offset, it is read in the time zone of the social set. */
  scheduledAt?: string | undefined
  /** Read-only. */
  id?: string | undefined
  /** Read-only. */
  socialSetId?: string | undefined
  /** Read-only. */
  type?: 'ONE_TIME' | 'RECURRING' | undefined
  source?: {
    type: 'APP' | 'SHARED_CALENDAR' | 'GOOGLE_IMPORT'
  } | undefined
  /** Read-only. */
  createdAt?: string | undefined
}

export interface PageQuery {
  /** From 1. page × size is at most 10000. */
  page?: number | undefined
  size?: number | undefined
}

export interface PinterestPost {
  id: string
  accountType: 'PINTEREST'
  caption: string
  media: PostMedia[]
  result?: PostResult | undefined
  title: string
  website: string
  board: {
    id: string
    name: string
  } | null
  options: Record<string, string | number | boolean | string[] | null> | null
  fit: 'CROP' | 'PAD' | 'REFUSE' | null
}

export interface PinterestPostInput {
  id?: string | null | undefined
  accountType: 'PINTEREST'
  caption: string
  media: PostMediaInput[]
  /** On update: ignored, may be sent as answered. */
  result?: unknown | undefined
  title: string
  website: string
  board?: {
    id: string
    name: string
  } | null | undefined
  options?: Record<string, string | number | boolean | string[] | null> | null | undefined
  fit?: 'CROP' | 'PAD' | 'REFUSE' | null | undefined
}

export type Post = InstagramPost | FacebookPost | TwitterPost | LinkedinPagePost | LinkedinPersonalPost | GmbPost | PinterestPost | TiktokPost | YoutubePost | ThreadsPost | BlueskyPost

export type PostInput = InstagramPostInput | FacebookPostInput | TwitterPostInput | LinkedinPagePostInput | LinkedinPersonalPostInput | GmbPostInput | PinterestPostInput | TiktokPostInput | YoutubePostInput | ThreadsPostInput | BlueskyPostInput

export interface PostMedia {
  id: string
  mediaLibraryId: string
  altText: string | null
  title: string | null
  description: string | null
  link: string | null
  tags: MediaTag[]
  /** Extension: the part of the picture that this post shows; null for all of it. */
  crop: MediaCrop | null
  type: 'IMAGE' | 'VIDEO' | 'DOCUMENT' | Unknown
  url: string
  thumbnailUrl: string | null
  width: number
  height: number
  /** Extension: only for documents. */
  pages?: number | undefined
  /** Extension: length of a video or an animation in milliseconds; null for still images. */
  durationMs: number | null
}

export interface PostMediaInput {
  id?: string | null | undefined
  mediaLibraryId?: string | null | undefined
  altText?: string | null | undefined
  title?: string | null | undefined
  description?: string | null | undefined
  link?: string | null | undefined
  tags?: MediaTag[] | null | undefined
  /** Extension: the part of the picture that this post shows; the file does not change. Tags are placed on that part. */
  crop?: MediaCrop | null | undefined
  /** On update: ignored, may be sent as answered. */
  type?: unknown | undefined
  /** On update: ignored, may be sent as answered. */
  url?: unknown | undefined
  /** On update: ignored, may be sent as answered. */
  thumbnailUrl?: unknown | undefined
  /** On update: ignored, may be sent as answered. */
  width?: unknown | undefined
  /** On update: ignored, may be sent as answered. */
  height?: unknown | undefined
  /** On update: ignored, may be sent as answered. */
  durationMs?: unknown | undefined
}

export interface PostResult {
  status: 'POSTED' | 'FAILED' | Unknown
  /** Extension: `INBOX`: not public; waits in the account's inbox for its creator. `INBOX_ENDED`: was not finished there. Absent: `DIRECT`. */
  delivery?: 'DIRECT' | 'INBOX' | 'INBOX_ENDED' | Unknown | undefined
  providerId?: string | undefined
  permalink?: string | undefined
  message?: string | undefined
  reason?: 'ACCOUNT_CONNECTION_EXPIRED' | 'ACCOUNT_RESTRICTED' | 'ACCOUNT_RESTRICTED_SPAM' | 'ACCOUNT_SUSPENDED' | 'ACTION_BLOCKED' | 'CAPTION_TOO_LONG' | 'UNKNOWN_MEDIA_ERROR' | 'UNKNOWN' | Unknown | undefined
  /** Extension: what went wrong besides the post itself, such as its first comment. */
  warnings?: {
    code: string
    message: string
  }[] | undefined
  /** Extension: the parts of `thread` that are live, in their order. Warnings say what is missing behind them. */
  thread?: {
    providerId?: string | undefined
    permalink?: string | undefined
  }[] | undefined
  /** Extension: of a story of several items each that is live, the first one included. Warnings say what is missing behind them. */
  stories?: {
    providerId?: string | undefined
    permalink?: string | undefined
  }[] | undefined
}

export interface PostSet {
  id: string
  socialSetId: string
  scheduledAt: string
  status: 'DRAFT' | 'SCHEDULED' | 'PUBLISHING' | 'PUBLISHED' | Unknown
  posts: Post[]
  /** Shared by all sets of a series. */
  seriesId?: string | undefined
  repeat?: PostSetRepeat | undefined
  labelsId: string[]
  approval: 'NONE' | 'PENDING' | 'EXTERNAL_PENDING' | 'APPROVED' | 'DENIED'
  isLocked: boolean
  /** Extension: the name that a program gave it. Absent: none. */
  externalId?: string | undefined
  /** Extension: increased by every change. The ETag contains it. */
  version: number
  createdAt: string
  updatedAt: string
}

export interface PostSetCreate {
  socialSetId: string
  /** ISO 8601. Without an offset it is read in the timezone of the social set. */
  scheduledAt: string
  status: 'DRAFT' | 'SCHEDULED'
  posts: PostInput[]
  approval: 'NONE' | 'PENDING' | 'EXTERNAL_PENDING' | 'APPROVED' | 'DENIED'
  repeat?: PostSetRepeat | null | undefined
  /** Extension: the name of the set in the system it comes from, unique in the social set. Copies and further sets of a series have none. */
  externalId?: string | null | undefined
}

export interface PostSetListQuery {
  /** Social set to list. */
  socialSetId: string
  /** From 1. page × size is at most 10000. */
  page?: number | undefined
  size?: number | undefined
  filters?: {
    /** Scheduled at or after. ISO 8601; without an offset, it is read in the time zone of the social set. */
    startDate?: string | undefined
    /** Scheduled before. ISO 8601; without an offset, it is read in the time zone of the social set. */
    endDate?: string | undefined
    /** Sets of this status. Repeatable. */
    status?: ('DRAFT' | 'SCHEDULED' | 'PUBLISHING' | 'PUBLISHED')[] | undefined
    /** Sets with a post for this network; LINKEDIN means page or personal. Repeatable. */
    socialNetworks?: ('INSTAGRAM' | 'FACEBOOK' | 'TWITTER' | 'LINKEDIN' | 'GMB' | 'PINTEREST' | 'TIKTOK' | 'YOUTUBE' | 'THREADS' | 'BLUESKY')[] | undefined
    /** Sets of this approval. Repeatable. */
    approval?: ('NONE' | 'PENDING' | 'EXTERNAL_PENDING' | 'APPROVED' | 'DENIED')[] | undefined
    /** Sets that carry this label. Repeatable. */
    labelsId?: string[] | undefined
    /** Part of a caption of the set, case-insensitive. */
    search?: string | undefined
    /** Extension: the set with exactly this name. */
    externalId?: string | undefined
  } | undefined
  sort?: {
    /** The default, ascending. With both sorts, the order in the query string counts. */
    scheduledAt?: 'ASC' | 'DESC' | undefined
    /** By the time when the set was made. */
    createdAt?: 'ASC' | 'DESC' | undefined
  } | undefined
}

export interface PostSetRepeat {
  interval: 'DAY' | 'WEEK' | 'MONTH' | 'YEAR'
  /** In total, including the first. */
  occurrences: number
}

export interface PostSetUpdate {
  /** ISO 8601. Without an offset it is read in the timezone of the social set. */
  scheduledAt?: string | undefined
  status?: 'DRAFT' | 'SCHEDULED' | undefined
  approval?: 'NONE' | 'PENDING' | 'EXTERNAL_PENDING' | 'APPROVED' | 'DENIED' | undefined
  posts?: PostInput[] | undefined
  repeat?: PostSetRepeat | null | undefined
  /** Extension: the name of the set in the system it comes from, unique in the social set. Copies and further sets of a series have none. */
  externalId?: string | null | undefined
  seriesId?: string | null | undefined
  /** Read-only. */
  id?: string | undefined
  /** Read-only. */
  socialSetId?: string | undefined
  /** Read-only. */
  labelsId?: string[] | undefined
  /** Read-only. */
  isLocked?: boolean | undefined
  /** Ignored; may be sent as answered. */
  createdAt?: unknown | undefined
  /** Ignored; may be sent as answered. */
  updatedAt?: unknown | undefined
  /** Ignored; may be sent as answered. */
  version?: unknown | undefined
}

export interface PostSetValidation {
  /** Whether a key with the needed scopes could create this set. */
  valid: boolean
  /** What would be refused, and why. */
  problems: ProblemEntry[]
  /** What would be accepted, but is worth knowing; for a draft, what stops it from being scheduled. */
  warnings: ProblemEntry[]
  /** The length of each caption that its network shows. Empty if the shape of the body is wrong. */
  counts: CaptionCount[]
}

export interface PostSetsCreate {
  /** ATOMIC, the default: all or none. EACH: every set that can be created, with a reason for each of the others. */
  mode?: 'ATOMIC' | 'EACH' | undefined
  /** What happens to a set whose externalId is already on the calendar. UNCHANGED, the default: it stays. UPDATE: it is changed to what is sent, while it is DRAFT or SCHEDULED. */
  onConflict?: 'UNCHANGED' | 'UPDATE' | undefined
  postSets: PostSetCreate[]
}

export interface PostSetsCreated {
  data: BulkEntry[]
}

export interface PostsOfSet {
  postIds?: string[] | null | undefined
}

export interface Problem {
  /** Documentation page about this code. */
  type: string
  title: string
  status: number
  detail: string
  code: 'request:invalid_json' | 'request:invalid_body' | 'request:invalid_query' | 'request:invalid_header' | 'note:invalid_range' | 'note:scheduled_at_not_updatable' | 'post-set:repeat_not_updatable' | 'post-set:duplicate_references' | 'post-set:unknown_reference' | 'post-set:account_type_not_updatable' | 'auth:missing_credential' | 'auth:invalid_credential' | 'auth:not_signed_in' | 'auth:wrong_sign_in' | 'auth:second_step_over' | 'auth:insufficient_scope' | 'auth:insufficient_role' | 'shared-calendar:not_allowed' | 'auth:cross_site_request' | 'auth:wrong_setup_code' | 'auth:password_confirmation_failed' | 'plan:api_access_not_available' | 'plan:approvals_not_available' | 'plan:upload_allowance_exceeded' | 'plan:storage_exceeded' | 'plan:social_sets_exceeded' | 'post-set:repeats_not_available' | 'post-set:videos_not_available' | 'post-set:carousels_not_available' | 'post-set:monthly_posts_exceeded' | 'api-key:budget_exceeded' | 'post-set:changed_last' | 'news:not_found' | 'note:not_found' | 'post-set:not_found' | 'history:not_found' | 'connection:not_found' | 'hold:not_found' | 'connection:sign_in_not_found' | 'social-set:not_found' | 'media-upload:not_found' | 'media-library:not_found' | 'session:not_found' | 'account:not_found' | 'api-key:not_found' | 'label:not_found' | 'hashtag-group:not_found' | 'imported-calendar:not_found' | 'calendar-feed:not_found' | 'shared-calendar:not_found' | 'kept-draft:not_found' | 'comment:not_found' | 'webhook:not_found' | 'member:not_found' | 'invitation:not_found' | 'route:not_found' | 'request:method_not_allowed' | 'request:not_acceptable' | 'event:position_gone' | 'auth:link_over' | 'media-upload:expired' | 'invitation:expired' | 'invitation:used' | 'invitation:revoked' | 'request:too_large' | 'request:unsupported_media_type' | 'request:timeout' | 'media-library:in_use' | 'media-upload:offset_mismatch' | 'media-upload:taken_over' | 'request:refused' | 'request:in_progress' | 'shared-calendar:name_required' | 'shared-calendar:not_waiting' | 'auth:acting_as_another' | 'member:last_owner' | 'invitation:member_already' | 'invitation:invited_already' | 'post-set:external_id_taken' | 'label:name_taken' | 'hashtag-group:name_taken' | 'hashtag-group:limit_reached' | 'imported-calendar:limit_reached' | 'kept-draft:changed' | 'kept-draft:saved' | 'kept-draft:id_taken' | 'kept-draft:limit_reached' | 'api-key:limit_reached' | 'webhook:limit_reached' | 'webhook:rotation_in_progress' | 'comment:limit_reached' | 'post-set:approval_required' | 'post-set:publishes_at_once' | 'media-upload:unsupported_version' | 'post-set:read_only' | 'post-set:locked' | 'post-set:version_conflict' | 'post-set:invalid_posts' | 'request:idempotency_key_reused' | 'rate-limit:exceeded' | 'auth:too_many_attempts' | 'comment:too_fast' | 'media-upload:too_many_pending' | 'media-upload:too_many_open' | 'internal:error' | 'service:unavailable' | Unknown
  /** The same as detail. */
  message: string
  requestId: string
  errors: ProblemEntry[]
  why?: Why | undefined
}

export interface ProblemEntry {
  code: string
  message: string
  /** Where, as `posts[0].caption`. Empty: the whole body. */
  path: string
  /** Where, as a JSON pointer fragment: `#/posts/0/caption`. */
  pointer: string
  accountType?: AccountType | Unknown | undefined
  limit?: number | undefined
  actual?: number | undefined
}

export interface RetriedPostSet {
  id: string
  socialSetId: string
  version: number
  retried: {
    postId: string
    accountType: AccountType | Unknown
  }[]
  left: {
    postId: string
    accountType: AccountType | Unknown
    why: Why
  }[]
}

export type RichCaptionSegment = string | {
  text: string
  mention?: {
    id: string
    name: string
  } | null | undefined
}

export interface SocialSet {
  id: string
  name: string
  /** Extension. `#rrggbb`, to tell brands apart. */
  color: string
  /** Extension. `fit` of new posts. */
  fit: 'CROP' | 'PAD' | 'REFUSE'
  /** IANA name */
  timezone: string
  createdAt: string
  hold: HoldShown | null
  accounts: ConnectedAccount[]
}

export interface ThreadsPost {
  id: string
  accountType: 'THREADS'
  caption: string
  media: PostMedia[]
  /** Extension: further parts, published as replies. Absent: none. */
  thread?: {
    id: string
    caption: string
    media: PostMedia[]
  }[] | undefined
  result?: PostResult | undefined
  options: Record<string, string | number | boolean | string[] | null> | null
  fit: 'CROP' | 'PAD' | 'REFUSE' | null
}

export interface ThreadsPostInput {
  id?: string | null | undefined
  accountType: 'THREADS'
  caption: string
  media: PostMediaInput[]
  /** On update: ignored, may be sent as answered. */
  result?: unknown | undefined
  /** Extension: further parts, published in this order, each as a reply to the one before. On update, omitted parts stay; null or an empty array removes them. */
  thread?: {
    id?: string | null | undefined
    caption: string
    media: PostMediaInput[]
  }[] | null | undefined
  options?: Record<string, string | number | boolean | string[] | null> | null | undefined
  fit?: 'CROP' | 'PAD' | 'REFUSE' | null | undefined
}

export interface TiktokPost {
  id: string
  accountType: 'TIKTOK'
  caption: string
  media: PostMedia[]
  result?: PostResult | undefined
  options: Record<string, string | number | boolean | string[] | null> | null
  fit: 'CROP' | 'PAD' | 'REFUSE' | null
}

export interface TiktokPostInput {
  id?: string | null | undefined
  accountType: 'TIKTOK'
  caption: string
  media: PostMediaInput[]
  /** On update: ignored, may be sent as answered. */
  result?: unknown | undefined
  options?: Record<string, string | number | boolean | string[] | null> | null | undefined
  fit?: 'CROP' | 'PAD' | 'REFUSE' | null | undefined
}

export interface TwitterPost {
  id: string
  accountType: 'TWITTER'
  caption: string
  media: PostMedia[]
  /** Extension: further parts, published as replies. Absent: none. */
  thread?: {
    id: string
    caption: string
    media: PostMedia[]
  }[] | undefined
  result?: PostResult | undefined
  options: Record<string, string | number | boolean | string[] | null> | null
  fit: 'CROP' | 'PAD' | 'REFUSE' | null
}

export interface TwitterPostInput {
  id?: string | null | undefined
  accountType: 'TWITTER'
  caption: string
  media: PostMediaInput[]
  /** On update: ignored, may be sent as answered. */
  result?: unknown | undefined
  /** Extension: further parts, published in this order, each as a reply to the one before. On update, omitted parts stay; null or an empty array removes them. */
  thread?: {
    id?: string | null | undefined
    caption: string
    media: PostMediaInput[]
  }[] | null | undefined
  options?: Record<string, string | number | boolean | string[] | null> | null | undefined
  fit?: 'CROP' | 'PAD' | 'REFUSE' | null | undefined
}

export interface Webhook {
  id: string
  /** https. Other schemes, and addresses of private networks, only if the operator trusts the host. It cannot be changed: create another webhook for another address. */
  url: string
  /** Event types to send. Empty: all. */
  types: EventType[]
  /** Social sets whose events are sent. Empty: all that its key sees; for a webhook of the account, all. */
  socialSetIds: string[]
  description: string
  /** While it is false nothing is sent, and events from that time are never sent. */
  enabled: boolean
  /** Do not send what its own key did. Default: true if a key creates it. */
  ignoreOwn: boolean
  /** Do not send what these API keys did: those of the programs that its receiver runs. */
  ignoreKeyIds: string[]
  /** Nothing is sent any more; events are kept for 30 days. Adopting it reopens it. */
  closed: {
    /** ISO 8601, UTC, milliseconds */
    at: string
    why: 'GONE' | 'FAILING' | 'KEY_ENDED' | 'MAKER_LEFT'
  } | null
  /** Nothing has succeeded since then. */
  failing: {
    /** ISO 8601, UTC, milliseconds */
    since: string
    failures: number
  } | null
  /** The API key that it belongs to. Null: the account. */
  key: AccountName | null
  /** Name of the person or of the API key. */
  createdBy: string
  /** ISO 8601, UTC, milliseconds */
  createdAt: string
  /** Until then, the previous secret also signs. */
  oldSecretUntil: string | null
}

export interface WebhookAttempt {
  id: string
  /** ISO 8601, UTC, milliseconds */
  at: string
  durationMs: number
  /** Status of the answer. Null: no answer. */
  status: number | null
  /** Why it counts as failed, in a sentence. Null: it succeeded. */
  failure: string | null
  /** The beginning of the answer of a public host, at most 1 kB. */
  answer: string | null
  event: {
    id: string
    /** Null: of a test. */
    position: number | null
    type: string
    /** ISO 8601, UTC, milliseconds */
    timestamp: string
    socialSetId: string | null
  }
  /** The current state of the event for this webhook. */
  state: 'WAITING' | 'SENT' | 'FAILED' | 'KEPT' | 'LEFT_OUT' | Unknown
  /** If it waits: when it is sent again, at the earliest. */
  nextAt: string | null
}

export interface WebhookAttemptQuery {
  page?: number | undefined
  size?: number | undefined
  /** Only those that failed, or only those that succeeded. Absent: all. */
  failed?: boolean | undefined
}

export interface WebhookCreate {
  /** https. Other schemes, and addresses of private networks, only if the operator trusts the host. It cannot be changed: create another webhook for another address. */
  url: string
  /** Event types to send. Empty: all. */
  types?: EventType[] | undefined
  /** Social sets whose events are sent. Empty: all that its key sees; for a webhook of the account, all. */
  socialSetIds?: string[] | undefined
  description?: string | undefined
  /** While it is false nothing is sent, and events from that time are never sent. */
  enabled?: boolean | undefined
  /** Do not send what its own key did. Default: true if a key creates it. */
  ignoreOwn?: boolean | undefined
  /** Do not send what these API keys did: those of the programs that its receiver runs. */
  ignoreKeyIds?: string[] | undefined
}

export interface WebhookList {
  data: Webhook[]
  /** Of the account, including those that are not listed, but not closed ones. */
  openCount: number
  /** Open endpoints that an account may have. */
  limit: number
}

export interface WebhookQueued {
  /** How many events are sent again. */
  queued: number
}

export interface WebhookResend {
  eventId?: string | undefined
  /** ISO 8601: all events since then that could not be sent. A bare date is its start in UTC. */
  since?: string | undefined
}

export interface WebhookTested {
  /** `webhook-id` of what is sent. */
  eventId: string
}

export interface WebhookUpdate {
  /** Event types to send. Empty: all. */
  types?: EventType[] | undefined
  /** Social sets whose events are sent. Empty: all that its key sees; for a webhook of the account, all. */
  socialSetIds?: string[] | undefined
  description?: string | undefined
  /** While it is false nothing is sent, and events from that time are never sent. */
  enabled?: boolean | undefined
  /** Do not send what its own key did. Default: true if a key creates it. */
  ignoreOwn?: boolean | undefined
  /** Do not send what these API keys did: those of the programs that its receiver runs. */
  ignoreKeyIds?: string[] | undefined
  /** Read-only. */
  id?: string | undefined
  /** Read-only. */
  url?: string | undefined
  /** Read-only. */
  createdBy?: string | undefined
  /** Read-only. */
  createdAt?: string | undefined
  /** Nothing is sent any more; events are kept for 30 days. Adopting it reopens it. */
  closed?: {
    /** ISO 8601, UTC, milliseconds */
    at: string
    why: 'GONE' | 'FAILING' | 'KEY_ENDED' | 'MAKER_LEFT'
  } | null | undefined
  /** Nothing has succeeded since then. */
  failing?: {
    /** ISO 8601, UTC, milliseconds */
    since: string
    failures: number
  } | null | undefined
  /** The API key that it belongs to. Null: the account. */
  key?: AccountName | null | undefined
  /** Until then, the previous secret also signs. */
  oldSecretUntil?: string | null | undefined
}

export interface WebhookWithSecret {
  id: string
  /** https. Other schemes, and addresses of private networks, only if the operator trusts the host. It cannot be changed: create another webhook for another address. */
  url: string
  /** Event types to send. Empty: all. */
  types: EventType[]
  /** Social sets whose events are sent. Empty: all that its key sees; for a webhook of the account, all. */
  socialSetIds: string[]
  description: string
  /** While it is false nothing is sent, and events from that time are never sent. */
  enabled: boolean
  /** Do not send what its own key did. Default: true if a key creates it. */
  ignoreOwn: boolean
  /** Do not send what these API keys did: those of the programs that its receiver runs. */
  ignoreKeyIds: string[]
  /** Nothing is sent any more; events are kept for 30 days. Adopting it reopens it. */
  closed: {
    /** ISO 8601, UTC, milliseconds */
    at: string
    why: 'GONE' | 'FAILING' | 'KEY_ENDED' | 'MAKER_LEFT'
  } | null
  /** Nothing has succeeded since then. */
  failing: {
    /** ISO 8601, UTC, milliseconds */
    since: string
    failures: number
  } | null
  /** The API key that it belongs to. Null: the account. */
  key: AccountName | null
  /** Name of the person or of the API key. */
  createdBy: string
  /** ISO 8601, UTC, milliseconds */
  createdAt: string
  /** Until then, the previous secret also signs. */
  oldSecretUntil: string | null
  /** Signs what is sent. Shown only once. */
  secret: string
}

export interface Why {
  /** One of `WHY_WORDS`, or the code of an error. */
  code: string
  /** In English. */
  message: string
  /** Where an error is the reason, `reason` is its message and `code` its code. */
  values: Record<string, string>
}

export interface YoutubePost {
  id: string
  accountType: 'YOUTUBE'
  caption: string
  media: PostMedia[]
  result?: PostResult | undefined
  title: string
  privacy: 'PUBLIC' | 'PRIVATE' | 'UNLISTED'
  options: Record<string, string | number | boolean | string[] | null> | null
  fit: 'CROP' | 'PAD' | 'REFUSE' | null
}

export interface YoutubePostInput {
  id?: string | null | undefined
  accountType: 'YOUTUBE'
  caption: string
  media: PostMediaInput[]
  /** On update: ignored, may be sent as answered. */
  result?: unknown | undefined
  title: string
  privacy: 'PUBLIC' | 'PRIVATE' | 'UNLISTED'
  options?: Record<string, string | number | boolean | string[] | null> | null | undefined
  fit?: 'CROP' | 'PAD' | 'REFUSE' | null | undefined
}
