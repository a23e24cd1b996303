import { API_KEY_ENDPOINTS } from './api-keys.ts'
import { APPROVAL_ENDPOINTS } from './approvals.ts'
import { CALENDAR_ENDPOINTS } from './calendar.ts'
import { CALENDAR_FEED_ENDPOINTS } from './calendar-feeds.ts'
import { COMMENT_ENDPOINTS } from './comments.ts'
import { CONNECTION_ENDPOINTS } from './connections.ts'
import { EVENT_ENDPOINTS } from './events.ts'
import { HASHTAG_GROUP_ENDPOINTS } from './hashtag-groups.ts'
import { HELD_START_ENDPOINTS } from './held-start.ts'
import { HOLD_ENDPOINTS } from './holds.ts'
import { IMPORTED_CALENDAR_ENDPOINTS } from './imported-calendars.ts'
import { KEPT_DRAFT_ENDPOINTS } from './kept-drafts.ts'
import { LABEL_ENDPOINTS } from './labels.ts'
import { MEDIA_ENDPOINTS, MEDIA_UPLOAD_ENDPOINTS, POSTER_ENDPOINTS } from './media.ts'
import { MEMBER_ENDPOINTS } from './members.ts'
import { NETWORK_APP_ENDPOINTS } from './network-apps.ts'
import { NETWORK_ENDPOINTS } from './networks.ts'
import { NEWS_ENDPOINTS } from './news.ts'
import { NOTE_ENDPOINTS } from './notes.ts'
import { POST_SET_ACTION_ENDPOINTS } from './post-set-actions.ts'
import { POST_SET_ENDPOINTS } from './post-sets.ts'
import { PROFILE_ENDPOINTS } from './profile.ts'
import { RESULT_ENDPOINTS } from './results.ts'
import { SESSION_ENDPOINTS } from './session.ts'
import { SHARED_CALENDAR_ENDPOINTS } from './shared-calendars.ts'
import { SIGN_IN_ENDPOINTS } from './sign-in.ts'
import { SOCIAL_SET_ENDPOINTS } from './social-sets.ts'
import { USAGE_ENDPOINTS } from './usage.ts'
import { WEBHOOK_ENDPOINTS } from './webhooks.ts'

/** Every endpoint that answers JSON below `/v1` or `/internal`, by its name. */
export const ENDPOINTS = {
  ...POST_SET_ENDPOINTS,
  ...POST_SET_ACTION_ENDPOINTS,
  ...APPROVAL_ENDPOINTS,
  ...COMMENT_ENDPOINTS,
  ...CALENDAR_ENDPOINTS,
  ...RESULT_ENDPOINTS,
  ...EVENT_ENDPOINTS,
  ...NOTE_ENDPOINTS,
  ...NEWS_ENDPOINTS,
  ...SOCIAL_SET_ENDPOINTS,
  ...HELD_START_ENDPOINTS,
  ...HOLD_ENDPOINTS,
  ...LABEL_ENDPOINTS,
  ...HASHTAG_GROUP_ENDPOINTS,
  ...KEPT_DRAFT_ENDPOINTS,
  ...IMPORTED_CALENDAR_ENDPOINTS,
  ...CALENDAR_FEED_ENDPOINTS,
  ...API_KEY_ENDPOINTS,
  ...USAGE_ENDPOINTS,
  ...MEDIA_UPLOAD_ENDPOINTS,
  ...POSTER_ENDPOINTS,
  ...MEDIA_ENDPOINTS,
  ...MEMBER_ENDPOINTS,
  ...NETWORK_ENDPOINTS,
  ...NETWORK_APP_ENDPOINTS,
  ...SESSION_ENDPOINTS,
  ...SIGN_IN_ENDPOINTS,
  ...PROFILE_ENDPOINTS,
  ...CONNECTION_ENDPOINTS,
  ...SHARED_CALENDAR_ENDPOINTS,
  ...WEBHOOK_ENDPOINTS,
} as const

export type Endpoints = typeof ENDPOINTS

export {
  API_KEY_ENDPOINTS,
  APPROVAL_ENDPOINTS,
  CALENDAR_ENDPOINTS,
  CALENDAR_FEED_ENDPOINTS,
  COMMENT_ENDPOINTS,
  CONNECTION_ENDPOINTS,
  EVENT_ENDPOINTS,
  HASHTAG_GROUP_ENDPOINTS,
  HELD_START_ENDPOINTS,
  HOLD_ENDPOINTS,
  IMPORTED_CALENDAR_ENDPOINTS,
  KEPT_DRAFT_ENDPOINTS,
  LABEL_ENDPOINTS,
  MEDIA_ENDPOINTS,
  MEDIA_UPLOAD_ENDPOINTS,
  MEMBER_ENDPOINTS,
  NETWORK_APP_ENDPOINTS,
  NETWORK_ENDPOINTS,
  NEWS_ENDPOINTS,
  NOTE_ENDPOINTS,
  POST_SET_ACTION_ENDPOINTS,
  POST_SET_ENDPOINTS,
  POSTER_ENDPOINTS,
  PROFILE_ENDPOINTS,
  RESULT_ENDPOINTS,
  SESSION_ENDPOINTS,
  SHARED_CALENDAR_ENDPOINTS,
  SIGN_IN_ENDPOINTS,
  SOCIAL_SET_ENDPOINTS,
  USAGE_ENDPOINTS,
  WEBHOOK_ENDPOINTS,
}
