import Type from 'typebox'
import type { AccountType } from '#contract'
import { formOf, limitsReadOn } from '../../../src/networks/kit/limits.ts'
import type { Limit, Manifest } from '../../../src/networks/network.ts'

const PAGE = 'https://postcards.example/docs/cards'
const limit = limitsReadOn('2026-11-23')

/** Its entry in `contract/account-types.ts` makes it an account type; here it is none. */
export const accountType = 'POSTCARD' as string as AccountType

/** Every number that rules, connector and simulator use. */
export const limits = {
  textLength: limit(120, 'characters', PAGE),
  pictures: limit(4, 'pictures', PAGE),
  picturesAbroad: limit(1, 'picture on a card that goes abroad', PAGE),
  altTextLength: limit(80, 'UTF-16 code units', PAGE, 'The page says "characters"; code units are never fewer.'),
  pictureBytes: limit(2_000_000, 'bytes', PAGE),
  pictureSide: limit(2000, 'pixels', PAGE),
  pictureMinutes: limit(60, 'minutes that a picture waits for its card', PAGE),
} as const satisfies Record<string, Limit>

export const form = formOf(null, limits.textLength, { images: limits.pictures })

export const SCOPES = ['cards.read', 'cards.write']

export const manifest: Manifest = {
  name: 'postcards',
  title: 'Postcards',
  accountTypes: [accountType],
  forms: { [accountType]: [form] },
  defaults: [
    {
      name: 'readers',
      title: 'Who gets the cards',
      description: 'Everybody who asked for cards of the account, or its friends alone.',
      schema: Type.Enum(['EVERYBODY', 'FRIENDS']),
      titles: { EVERYBODY: 'Everybody who asked', FRIENDS: 'Friends' },
      required: true,
      sandbox: 'EVERYBODY',
    },
  ],
  limits,
  endpoints: {
    api: { default: 'https://api.postcards.example', setting: 'API_URL' },
    /** The page of the sign-in. */
    www: { default: 'https://www.postcards.example', setting: 'WWW_URL' },
  },
  settings: {
    CLIENT_ID: { description: 'Id of your app at postcards.example.', sandbox: 'sandbox-client' },
    CLIENT_SECRET: {
      description: 'Secret of your app at postcards.example.',
      secret: true,
      sandbox: 'sandbox-secret',
    },
  },
  // A card is listed after five seconds. It counts from the fence, and the call may end 38 seconds behind that.
  listingDelayMs: 60_000,
  idempotentPublish: false,
}
