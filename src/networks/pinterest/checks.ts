import { type Checks, type Look, readProbe } from '../kit/checks.ts'
import { id } from '../kit/read-json.ts'
import { errors } from './outcomes.ts'
import { call, parseAccount, parseBoard, parsePage, parsePin } from './wire.ts'

const boardOf = ({ account }: Look) => id(account.defaults.boardId)

/** What only a real account can tell. Keys: the vendor's OpenAPI 5.23, `user_account/get`, `boards/list`, `boards/list_pins`. */
export const checks: Checks = {
  errors,
  probes: [
    readProbe({
      name: 'account',
      settles: 'whether the account can be read',
      documented: [
        'id',
        'username',
        'account_type?',
        'profile_image?',
        'website_url?',
        'about?',
        'business_name?',
        'board_count?',
        'pin_count?',
        'follower_count?',
        'following_count?',
        'monthly_views?',
      ],
      read: (look) => call(look, { method: 'GET', path: 'user_account', timeoutMs: 15_000, parse: parseAccount }),
    }),
    readProbe({
      name: 'boards',
      settles: 'whether boards can be listed',
      documented: [
        'items[].id',
        'items[].name',
        'items[].privacy?',
        'items[].description?',
        'items[].owner.*',
        'items[].media.*',
        'items[].is_ads_only?',
        'items[].collaborator_count?',
        'items[].created_at?',
        'items[].board_pins_modified_at?',
        'items[].follower_count?',
        'items[].pin_count?',
        'bookmark?',
      ],
      read: (look) =>
        call(look, {
          method: 'GET',
          path: 'boards',
          query: { page_size: '25' },
          timeoutMs: 15_000,
          parse: parsePage(parseBoard),
        }),
      says: ({ entries }) => `${entries.length} boards could be read.`,
    }),
    readProbe({
      name: 'pins',
      settles: 'whether the pins of a board can be listed, by which a lost one is found',
      documented: [
        'items[].id',
        'items[].title?',
        'items[].description?',
        'items[].link?',
        'items[].alt_text?',
        'items[].created_at?',
        'items[].board_id?',
        'items[].board_section_id?',
        'items[].board_owner.*',
        'items[].parent_pin_id?',
        'items[].media.*',
        'items[].dominant_color?',
        'items[].creative_type?',
        'items[].is_owner?',
        'items[].is_standard?',
        'items[].is_removable?',
        'items[].has_been_promoted?',
        'items[].note?',
        'items[].pin_metrics.*',
        'items[].product_tags.*',
        'items[].product_tags[].*',
        'items[].ai_generated?',
        'bookmark?',
      ],
      read(look) {
        const board = boardOf(look)
        if (board === undefined)
          return 'The connection has no board of its own: choose one among its publishing defaults.'
        return call(look, {
          method: 'GET',
          path: `boards/${board}/pins`,
          query: { page_size: '5' },
          timeoutMs: 15_000,
          parse: parsePage(parsePin),
        })
      },
      says: ({ entries }) => (entries.length === 0 ? 'The listing is empty.' : `${entries.length} pins could be read.`),
    }),
  ],
  fields: () => ({ title: 'A test' }),
  /** The vendor's OpenAPI 5.23, `pins/delete`. */
  remove: (look, providerId) =>
    call(look, {
      method: 'DELETE',
      path: `pins/${encodeURIComponent(providerId)}`,
      timeoutMs: 15_000,
      parse: () => true,
    }),
  byHand: 'Open the pin on pinterest.com, choose "Edit Pin" and then "Delete".',
}
