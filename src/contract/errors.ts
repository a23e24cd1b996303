/**
 * The one catalogue of errors. Every answer that is not a success carries one of these codes; docs pages and the
 * `type` of a problem are made from it.
 */
export const ERRORS = {
  'request:invalid_json': { status: 400, title: 'The body is not valid JSON' },
  'request:invalid_body': { status: 400, title: 'The body has a wrong, missing or unknown field' },
  'request:invalid_query': { status: 400, title: 'A query parameter is wrong, missing or unknown' },
  'note:invalid_range': { status: 400, title: 'The range of dates is reversed or wider than 366 days' },
  'note:scheduled_at_not_updatable': { status: 400, title: 'The time of this note cannot be changed' },
  'post-set:repeat_not_updatable': { status: 400, title: 'The repeat rule of a set in a series cannot be changed' },
  'post-set:duplicate_references': { status: 400, title: 'A post or media id is referenced more than once' },
  'post-set:unknown_reference': { status: 400, title: 'A post or media id is not part of this set' },
  'post-set:account_type_not_updatable': { status: 400, title: 'The account type of an existing post cannot change' },
  'auth:missing_credential': { status: 401, title: 'The request carries no API key' },
  'auth:invalid_credential': { status: 401, title: 'The API key is not valid' },
  'auth:not_signed_in': { status: 401, title: 'Nobody is signed in' },
  'auth:wrong_sign_in': { status: 401, title: 'Address, password or code is wrong' },
  'auth:insufficient_scope': { status: 403, title: 'The API key lacks a scope' },
  'auth:insufficient_role': { status: 403, title: 'The role of the member does not allow this' },
  'auth:cross_site_request': { status: 403, title: 'The request came from another site' },
  'auth:password_confirmation_failed': { status: 403, title: 'The password is wrong' },
  'plan:api_access_not_available': { status: 403, title: 'The plan does not include the interface' },
  'plan:approvals_not_available': { status: 403, title: 'The plan does not include approvals' },
  'post-set:repeats_not_available': { status: 403, title: 'The plan does not include repeats' },
  'post-set:videos_not_available': { status: 403, title: 'The plan does not include video' },
  'post-set:carousels_not_available': { status: 403, title: 'The plan does not include carousels' },
  'post-set:monthly_posts_exceeded': { status: 403, title: 'The monthly post limit of the plan is reached' },
  'note:not_found': { status: 404, title: 'No such note' },
  'post-set:not_found': { status: 404, title: 'No such post set' },
  'social-set:not_found': { status: 404, title: 'No such social set' },
  'media-upload:not_found': { status: 404, title: 'No such media upload' },
  'media-library:not_found': { status: 404, title: 'No such media library item' },
  'route:not_found': { status: 404, title: 'No such route' },
  'request:method_not_allowed': { status: 405, title: 'The route does not take this method' },
  'request:not_acceptable': { status: 406, title: 'The answer cannot be given in the form asked for' },
  'request:too_large': { status: 413, title: 'The body is too large' },
  'request:unsupported_media_type': { status: 415, title: 'The body must be JSON' },
  'request:refused': { status: 409, title: 'This cannot be done as things are' },
  'api-key:limit_reached': { status: 409, title: 'The account has its 10 active keys' },
  'post-set:read_only': { status: 412, title: 'The post set is publishing or published' },
  'post-set:locked': { status: 412, title: 'The post set is locked in the product' },
  'post-set:version_conflict': { status: 412, title: 'The post set has changed since it was read' },
  'post-set:invalid_posts': { status: 422, title: 'Posts break the rules of their network' },
  'rate-limit:exceeded': { status: 429, title: 'Too many requests in this second' },
  'auth:too_many_attempts': { status: 429, title: 'Too many wrong tries' },
  'media-upload:too_many_pending': { status: 429, title: 'Too many uploads are pending in this social set' },
  'internal:error': { status: 500, title: 'Something went wrong on our side' },
} as const satisfies Record<string, { status: number; title: string }>

export type ErrorCode = keyof typeof ERRORS

/** What can be wrong with a post that is to be scheduled: networks choose from this list, none adds to it. */
export const POST_PROBLEMS = {
  'post:caption_too_long': 'The caption is longer than the network allows',
  'post:caption_required': 'The network wants a caption',
  'post:rich_caption_mismatch': 'The segments of richCaption do not add up to caption',
  'post:hashtags_count': 'Too many hashtags',
  'post:mentions_count': 'Too many mentions',
  'post:media_required': 'The network wants media',
  'post:media_not_found': 'The media library item does not exist in this social set',
  'post:media_count': 'Too many or too few media items',
  'post:media_mix': 'These media items cannot stand in one post',
  'post:media_type': 'The network does not take this kind of media here',
  'post:media_size': 'The file is too large',
  'post:media_dimensions': 'Width or height is out of range',
  'post:media_ratio': 'The aspect ratio is out of range',
  'post:media_duration': 'The video is too short or too long',
  'post:media_codec': 'The network cannot play this codec or container',
  'post:field_required': 'A field must be filled in before scheduling',
  'post:field_too_long': 'A field is too long',
  'post:field_invalid': 'A field has a value that the network refuses',
  'post:duplicate_account_type': 'Two posts of the set have the same account type',
  'post:account_not_connected': 'The social set has no connection of this account type',
  'post:account_reconnect_required': 'The connection must be renewed',
} as const
export type PostProblemCode = keyof typeof POST_PROBLEMS

/** What a check of a post set warns of besides what stops a draft from being scheduled. */
export const POST_SET_WARNINGS = {
  'post-set:publishes_at_once': 'The time has passed: scheduled so, the set publishes at once',
} as const

/** Why an import failed, as `error.code` of a media upload. */
export const MEDIA_UPLOAD_ERRORS = {
  'media-upload:url_blocked': 'The address is not one that imports may reach',
  'media-upload:dns_failed': 'The host name could not be resolved',
  'media-upload:http_error': 'The server did not answer with the file',
  'media-upload:timeout': 'The server took too long',
  'media-upload:too_many_redirects': 'The address redirects too often',
  'media-upload:too_large': 'The file is larger than imports may be',
  'media-upload:unsupported_type': 'The file is neither an image nor a video that can be used',
  'media-upload:corrupt': 'The file is damaged',
  'media-upload:allowance_exceeded': 'The monthly upload allowance is used up',
  'media-upload:storage_exceeded': 'The storage of the plan is used up',
  'media-upload:interrupted': 'The import was interrupted too often',
} as const
export type MediaUploadErrorCode = keyof typeof MEDIA_UPLOAD_ERRORS
