import type { Rule } from '../conformance.ts'

export const resourcesPostsRules: readonly Rule[] = [
  {
    id: 'resources-27',
    rule: 'A post has an id, by which an update keeps it.',
    proof: [
      'test/api/post-set-updates.happy.test.ts › posts, the complete new list › a post with an id is kept, one without is new, one that is not named goes',
    ],
  },
  {
    id: 'resources-28',
    rule: 'accountType of a post is required and is one of the eleven.',
    proof: [
      'test/api/post-sets.error.test.ts › the shape of a new set › %s',
      'test/api/post-rules.error.test.ts › a post of another shape, as a draft and scheduled › without %s, or with null there',
    ],
  },
  {
    id: 'resources-29',
    rule: 'The account type of a post that exists cannot change.',
    proof: ['test/api/post-sets.error.test.ts › a change › of references'],
  },
  {
    id: 'resources-30',
    rule: 'caption of a post is required.',
    proof: [
      'test/api/post-sets.error.test.ts › the shape of a new set › %s',
      'test/api/post-rules.error.test.ts › a post of another shape, as a draft and scheduled › without %s, or with null there',
    ],
  },
  {
    id: 'resources-31',
    rule: "Each network's own limit of a caption's length holds.",
    proof: [
      'test/api/post-sets.error.test.ts › posts that cannot be published › all problems of all posts, with the numbers at stake',
      'src/networks/instagram/rules.test.ts › each limit at, within and behind its edge › %s',
    ],
  },
  {
    id: 'resources-32',
    rule: 'media of a post is a required list; it may be empty where the network takes text alone.',
    proof: [
      'test/api/post-sets.error.test.ts › the shape of a new set › %s',
      'test/api/post-sets.error.test.ts › posts that cannot be published › all problems of all posts, with the numbers at stake',
      'test/e2e/sandbox.test.ts › text, images and video go to both networks at once, and every permalink opens',
      'test/api/post-rules.error.test.ts › a post of another shape, as a draft and scheduled › without %s, or with null there',
    ],
  },
  {
    id: 'resources-33',
    rule: 'result is in answers only, once a post was published.',
    proof: [
      'test/api/post-sets.happy.test.ts › read › results of the present content are answered, with what they have',
      'test/api/post-sets.error.test.ts › the shape of a new set › %s',
    ],
  },
  {
    id: 'resources-34',
    rule: 'FACEBOOK: type is required, one of TEXT, IMAGE, VIDEO, CAROUSEL, MULTI_IMAGE, REEL, STORY.',
    proof: [
      'test/api/post-rules.happy.test.ts › the fields of a post › %s: every %s',
      'test/api/post-rules.error.test.ts › a post of another shape, as a draft and scheduled › %s without %s, or with null there',
      'test/api/post-rules.error.test.ts › a post of another shape, as a draft and scheduled › %s with %j',
    ],
  },
  {
    id: 'resources-35',
    rule: 'FACEBOOK: richCaption is required.',
    proof: [
      'test/api/post-rules.happy.test.ts › the fields of a post › %s: what is required is enough, what is optional is null then',
      'test/api/post-rules.error.test.ts › a post of another shape, as a draft and scheduled › %s without %s, or with null there',
    ],
  },
  {
    id: 'resources-36',
    rule: 'FACEBOOK: videoCoverImageSeconds is optional.',
    proof: [
      'test/api/post-rules.happy.test.ts › the fields of a post › %s: what is required is enough, what is optional is null then',
      'test/api/post-rules.happy.test.ts › the fields of a post › %s takes %j alone',
      'test/api/post-rules.error.test.ts › a post of another shape, as a draft and scheduled › %s with %j',
    ],
  },
  {
    id: 'resources-37',
    rule: 'INSTAGRAM: type is required, one of IMAGE, CAROUSEL, REEL, STORY.',
    proof: [
      'test/api/post-rules.happy.test.ts › the fields of a post › %s: every %s',
      'test/api/post-rules.error.test.ts › a post of another shape, as a draft and scheduled › %s without %s, or with null there',
      'test/api/post-rules.error.test.ts › a post of another shape, as a draft and scheduled › %s with %j',
    ],
  },
  {
    id: 'resources-38',
    rule: 'INSTAGRAM: collaborators is required; an empty list means none.',
    proof: [
      'test/api/post-rules.happy.test.ts › the fields of a post › %s: what is required is enough, what is optional is null then',
      'test/api/post-rules.error.test.ts › a post of another shape, as a draft and scheduled › %s without %s, or with null there',
    ],
  },
  {
    id: 'resources-39',
    rule: 'INSTAGRAM: firstComment, audio, audioName and videoCoverImage are optional.',
    proof: [
      'test/api/post-rules.happy.test.ts › the fields of a post › %s: what is required is enough, what is optional is null then',
      'test/api/post-rules.happy.test.ts › the fields of a post › %s takes %j alone',
      'test/api/post-rules.error.test.ts › a post of another shape, as a draft and scheduled › %s with %j',
    ],
  },
  {
    id: 'resources-40',
    rule: 'LINKEDIN_PAGE and LINKEDIN_PERSONAL: richCaption is required.',
    proof: [
      'test/api/post-rules.happy.test.ts › the fields of a post › %s: what is required is enough, what is optional is null then',
      'test/api/post-rules.error.test.ts › a post of another shape, as a draft and scheduled › %s without %s, or with null there',
    ],
  },
  {
    id: 'resources-41',
    rule: 'GMB: ctaType is required, one of NONE, SIGN_UP, CALL, SHOP, LEARN_MORE, ORDER, BOOK.',
    proof: [
      'test/api/post-rules.happy.test.ts › the fields of a post › %s: every %s',
      'test/api/post-rules.error.test.ts › a post of another shape, as a draft and scheduled › %s without %s, or with null there',
      'test/api/post-rules.error.test.ts › a post of another shape, as a draft and scheduled › %s with %j',
    ],
  },
  {
    id: 'resources-42',
    rule: 'GMB: ctaUrl is optional.',
    proof: [
      'test/api/post-rules.happy.test.ts › the fields of a post › %s: what is required is enough, what is optional is null then',
      'test/api/post-rules.happy.test.ts › the fields of a post › %s takes %j alone',
      'test/api/post-rules.error.test.ts › a post of another shape, as a draft and scheduled › %s with %j',
    ],
  },
  {
    id: 'resources-43',
    rule: 'PINTEREST: title and website are required.',
    proof: [
      'test/api/post-rules.happy.test.ts › the fields of a post › %s: what is required is enough, what is optional is null then',
      'test/api/post-rules.error.test.ts › a post of another shape, as a draft and scheduled › %s without %s, or with null there',
    ],
  },
  {
    id: 'resources-44',
    rule: 'PINTEREST: board, with id and name, is optional.',
    proof: [
      'test/api/post-rules.happy.test.ts › the fields of a post › %s: what is required is enough, what is optional is null then',
      'test/api/post-rules.happy.test.ts › the fields of a post › %s takes %j alone',
      'test/api/post-rules.error.test.ts › a post of another shape, as a draft and scheduled › %s with %j',
    ],
  },
  {
    id: 'resources-45',
    rule: 'YOUTUBE: title and privacy are required; privacy is PUBLIC, PRIVATE or UNLISTED.',
    proof: [
      'test/api/post-rules.happy.test.ts › the fields of a post › %s: every %s',
      'test/api/post-rules.error.test.ts › a post of another shape, as a draft and scheduled › %s without %s, or with null there',
      'test/api/post-rules.error.test.ts › a post of another shape, as a draft and scheduled › %s with %j',
    ],
  },
  {
    id: 'resources-46',
    rule: 'TWITTER, TIKTOK, THREADS and BLUESKY have a caption and media, and no further field.',
    proof: [
      'test/api/post-rules.happy.test.ts › the fields of a post › %s: what is required is enough, what is optional is null then',
      'test/api/post-rules.error.test.ts › a post of another shape, as a draft and scheduled › %s has no field of its own',
    ],
  },
  {
    id: 'resources-47',
    rule: 'richCaption is a list of text segments; one segment that holds the whole caption is what a client sends.',
    proof: [
      'test/api/post-rules.happy.test.ts › the fields of a post › a rich caption of one segment that holds the caption can be scheduled',
    ],
  },
  {
    id: 'resources-48',
    rule: 'mediaLibraryId names an item of the media library of the same social set.',
    proof: [
      'test/api/post-sets.error.test.ts › posts that cannot be published › library items that are not of the social set, at any status, all as one',
    ],
  },
  {
    id: 'resources-49',
    rule: 'id of a media item keeps, in an update, an item that the set has.',
    proof: [
      'test/api/post-set-updates.happy.test.ts › posts, the complete new list › a media item is kept by its id with what is said of it, also when it moves; others go',
    ],
  },
  {
    id: 'resources-50',
    rule: 'altText, title, description and link may be said of every media item.',
    proof: [
      'test/api/post-set-updates.happy.test.ts › posts, the complete new list › metadata of a kept item changes by name, null takes it away',
      'src/domain/plan-posts.test.ts › a kept media item keeps what the request does not say, and loses what it says is null',
      'test/api/post-rules.happy.test.ts › what is said of a media item is kept, tags at the edges of the image included',
    ],
  },
  {
    id: 'resources-51',
    rule: 'tags of a media item are an optional list.',
    proof: ['test/api/post-sets.happy.test.ts › create › a draft is answered as it is stored, optional fields as null'],
  },
  {
    id: 'resources-52',
    rule: 'x of a tag is required, a number from 0 at the left edge to 1 at the right.',
    proof: [
      'test/api/post-rules.error.test.ts › the tag %j is of another shape',
      'test/api/post-rules.happy.test.ts › what is said of a media item is kept, tags at the edges of the image included',
    ],
  },
  {
    id: 'resources-53',
    rule: 'y of a tag is required, a number from 0 at the top edge to 1 at the bottom.',
    proof: [
      'test/api/post-rules.error.test.ts › the tag %j is of another shape',
      'test/api/post-rules.happy.test.ts › what is said of a media item is kept, tags at the edges of the image included',
    ],
  },
  {
    id: 'resources-54',
    rule: 'text of a tag is required: a handle, without @ before it.',
    proof: [
      'test/api/post-rules.error.test.ts › the tag %j is of another shape',
      'src/networks/instagram/publish.test.ts › what is sent › an image, with all that belongs to it',
    ],
  },
  {
    id: 'resources-55',
    rule: "The place of a tag is a fraction of the image's size, and reaches the network as such.",
    proof: ['src/networks/instagram/publish.test.ts › what is sent › an image, with all that belongs to it'],
  },
  {
    id: 'resources-56',
    rule: 'status of a result is POSTED or FAILED.',
    proof: [
      'test/api/post-sets.happy.test.ts › read › results of the present content are answered, with what they have',
    ],
  },
  {
    id: 'resources-57',
    rule: "A result of success has the network's id of the post and its permalink.",
    proof: [
      'test/api/post-sets.happy.test.ts › read › results of the present content are answered, with what they have',
      'test/engine/delivery.test.ts › a set that is due is claimed, sent and published, and history records it',
    ],
  },
  {
    id: 'resources-58',
    rule: 'A result of failure may have a message.',
    proof: ['test/engine/delivery.test.ts › a refusal is the result'],
  },
  {
    id: 'resources-59',
    rule: 'A result of failure has a reason, one of eight codes.',
    proof: [
      'test/engine/delivery.test.ts › a refusal is the result',
      'test/engine/delivery.test.ts › attempts end, and the last words are reported',
    ],
  },
  {
    id: 'resources-60',
    rule: 'ACCOUNT_CONNECTION_EXPIRED: the connection is over and the account must be reconnected in the product.',
    proof: ['test/engine/tokens.test.ts › a dead token ends the connection, and says so'],
  },
  {
    id: 'resources-61',
    rule: 'ACCOUNT_RESTRICTED: the network has restricted the account.',
    proof: [
      'test/engine/faults.test.ts › a fault of the network › %s: %s',
      'src/networks/bluesky/server.test.ts › what the server refuses › %s',
    ],
  },
  {
    id: 'resources-62',
    rule: 'ACCOUNT_RESTRICTED_SPAM: the network has restricted the account for spam.',
    proof: [
      'src/networks/instagram/publish.test.ts › after the visible call › a post that is not live because of spam is not sent again',
    ],
  },
  {
    id: 'resources-63',
    rule: 'ACCOUNT_SUSPENDED: the network has suspended the account.',
    proof: [
      'src/networks/bluesky/server.test.ts › what the server refuses › %s',
      'test/engine/delivery.test.ts › a refusal is the result',
    ],
  },
  {
    id: 'resources-64',
    rule: 'ACTION_BLOCKED: the network has blocked the publishing.',
    proof: ['src/networks/instagram/prepare.test.ts › what the network says while containers are made › %s'],
  },
  {
    id: 'resources-65',
    rule: 'CAPTION_TOO_LONG: the caption is longer than the network allows.',
    proof: [
      'test/engine/delivery.test.ts › rules are run again: what became wrong meanwhile is not sent',
      'src/networks/bluesky/server.test.ts › what the server refuses › %s',
    ],
  },
  {
    id: 'resources-66',
    rule: 'UNKNOWN_MEDIA_ERROR: the network refuses the media.',
    proof: [
      'test/e2e/sandbox.test.ts › a post that the network refuses is reported with its reason, and its sisters are posted',
    ],
  },
  {
    id: 'resources-67',
    rule: 'UNKNOWN: any other failure, which the message describes.',
    proof: ['test/engine/delivery.test.ts › attempts end, and the last words are reported'],
  },
  {
    id: 'resources-68',
    rule: 'A social set has an id, a timezone and connected accounts.',
    proof: ['test/api/social-sets.happy.test.ts › social sets by name, with their open connections and nothing secret'],
  },
  {
    id: 'resources-69',
    rule: 'type of a connected account is one of the account types.',
    proof: ['test/api/social-sets.happy.test.ts › social sets by name, with their open connections and nothing secret'],
  },
  {
    id: 'resources-70',
    rule: 'An item of the media library is referred to by its id, as mediaLibraryId.',
    proof: ['test/e2e/bluesky-server.test.ts › from a key to a post on a real server, and back'],
  },
  {
    id: 'resources-71',
    rule: 'A media upload is a job with an id and a status that becomes READY.',
    proof: [
      'test/api/media.happy.test.ts › an image: from its address through PENDING to READY, into the library, and back as the same bytes',
    ],
  },
]
