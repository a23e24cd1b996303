import type { Rule } from '../conformance.ts'

export const resourcesPostsRules: readonly Rule[] = [
  {
    id: 'resources-27',
    rule: 'A post has an id, by which an update keeps it.',
  },
  {
    id: 'resources-28',
    rule: 'accountType of a post is required and is one of the eleven.',
  },
  {
    id: 'resources-29',
    rule: 'The account type of a post that exists cannot change.',
  },
  {
    id: 'resources-30',
    rule: 'caption of a post is required.',
  },
  {
    id: 'resources-31',
    rule: "Each network's own limit of a caption's length holds.",
  },
  {
    id: 'resources-32',
    rule: 'media of a post is a required list; it may be empty where the network takes text alone.',
  },
  {
    id: 'resources-33',
    rule: 'result is in answers only, once a post was published.',
  },
  {
    id: 'resources-34',
    rule: 'FACEBOOK: type is required, one of TEXT, IMAGE, VIDEO, CAROUSEL, MULTI_IMAGE, REEL, STORY.',
  },
  {
    id: 'resources-35',
    rule: 'FACEBOOK: richCaption is required.',
  },
  {
    id: 'resources-36',
    rule: 'FACEBOOK: videoCoverImageSeconds is optional.',
  },
  {
    id: 'resources-37',
    rule: 'INSTAGRAM: type is required, one of IMAGE, CAROUSEL, REEL, STORY.',
  },
  {
    id: 'resources-38',
    rule: 'INSTAGRAM: collaborators is required; an empty list means none.',
  },
  {
    id: 'resources-39',
    rule: 'INSTAGRAM: firstComment, audio, audioName and videoCoverImage are optional.',
  },
  {
    id: 'resources-40',
    rule: 'LINKEDIN_PAGE and LINKEDIN_PERSONAL: richCaption is required.',
  },
  {
    id: 'resources-41',
    rule: 'GMB: ctaType is required, one of NONE, SIGN_UP, CALL, SHOP, LEARN_MORE, ORDER, BOOK.',
  },
  {
    id: 'resources-42',
    rule: 'GMB: ctaUrl is optional.',
  },
  {
    id: 'resources-43',
    rule: 'PINTEREST: title and website are required.',
  },
  {
    id: 'resources-44',
    rule: 'PINTEREST: board, with id and name, is optional.',
  },
  {
    id: 'resources-45',
    rule: 'YOUTUBE: title and privacy are required; privacy is PUBLIC, PRIVATE or UNLISTED.',
  },
  {
    id: 'resources-46',
    rule: 'TWITTER, TIKTOK, THREADS and BLUESKY have a caption and media, and no further field.',
  },
  {
    id: 'resources-47',
    rule: 'richCaption is a list of text segments; one segment that holds the whole caption is what a client sends.',
  },
  {
    id: 'resources-48',
    rule: 'mediaLibraryId names an item of the media library of the same social set.',
  },
  {
    id: 'resources-49',
    rule: 'id of a media item keeps, in an update, an item that the set has.',
  },
  {
    id: 'resources-50',
    rule: 'altText, title, description and link may be said of every media item.',
  },
  {
    id: 'resources-51',
    rule: 'tags of a media item are an optional list.',
  },
  {
    id: 'resources-52',
    rule: 'x of a tag is required, a number from 0 at the left edge to 1 at the right.',
  },
  {
    id: 'resources-53',
    rule: 'y of a tag is required, a number from 0 at the top edge to 1 at the bottom.',
  },
  {
    id: 'resources-54',
    rule: 'text of a tag is required: a handle, without @ before it.',
  },
  {
    id: 'resources-55',
    rule: "The place of a tag is a fraction of the image's size, and reaches the network as such.",
  },
  {
    id: 'resources-56',
    rule: 'status of a result is POSTED or FAILED.',
  },
  {
    id: 'resources-57',
    rule: "A result of success has the network's id of the post and its permalink.",
  },
  {
    id: 'resources-58',
    rule: 'A result of failure may have a message.',
  },
  {
    id: 'resources-59',
    rule: 'A result of failure has a reason, one of eight codes.',
  },
  {
    id: 'resources-60',
    rule: 'ACCOUNT_CONNECTION_EXPIRED: the connection is over and the account must be reconnected in the product.',
  },
  {
    id: 'resources-61',
    rule: 'ACCOUNT_RESTRICTED: the network has restricted the account.',
  },
  {
    id: 'resources-62',
    rule: 'ACCOUNT_RESTRICTED_SPAM: the network has restricted the account for spam.',
  },
  {
    id: 'resources-63',
    rule: 'ACCOUNT_SUSPENDED: the network has suspended the account.',
  },
  {
    id: 'resources-64',
    rule: 'ACTION_BLOCKED: the network has blocked the publishing.',
  },
  {
    id: 'resources-65',
    rule: 'CAPTION_TOO_LONG: the caption is longer than the network allows.',
  },
  {
    id: 'resources-66',
    rule: 'UNKNOWN_MEDIA_ERROR: the network refuses the media.',
  },
  {
    id: 'resources-67',
    rule: 'UNKNOWN: any other failure, which the message describes.',
  },
  {
    id: 'resources-68',
    rule: 'A social set has an id, a timezone and connected accounts.',
  },
  {
    id: 'resources-69',
    rule: 'type of a connected account is one of the account types.',
  },
  {
    id: 'resources-70',
    rule: 'An item of the media library is referred to by its id, as mediaLibraryId.',
  },
  {
    id: 'resources-71',
    rule: 'A media upload is a job with an id and a status that becomes READY.',
  },
]
