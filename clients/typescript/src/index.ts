export { Almanac, type AlmanacOptions } from './client.ts'
export {
  AlmanacError,
  ApiError,
  AuthenticationError,
  ConflictError,
  ConnectionError,
  GoneError,
  InvalidRequestError,
  MediaUploadError,
  NotFoundError,
  PermissionError,
  PreconditionError,
  RateLimitError,
  ServerError,
  TimeoutError,
  UnprocessableError,
  WebhookSignatureError,
} from './errors.ts'
export { type EventHandlers, type Followed, handleEvent } from './events.ts'
export type { ImportOptions, MediaSource, ReadyUpload } from './import-media.ts'
export type { Pages } from './pages.ts'
export type { Answered, Call, Fetch, RequestOptions } from './request.ts'
export type { ChangeOptions, WaitOptions } from './resources.ts'
export type * from './types.ts'
export { type UnwrapOptions, unwrapWebhook, type WebhookHeaders } from './webhook-signature.ts'
