import { type Checks, readProbe } from '../kit/checks.ts'
import { id } from '../kit/read-json.ts'
import { errors } from './outcomes.ts'
import { call, parseAccount, parseBoard, parsePin, readPage } from './wire.ts'

const timeoutMs = 15_000
const BOARDLESS = 'The connection has no board of its own: choose one among its publishing defaults.'

/** Keys of an answer; those of the entries of a listing. */
const keys = (names: string) => names.split(/\s+/)
const listed = (names: string) => [...keys(names).map((name) => `items[].${name}`), 'bookmark?']

/**
 * What only a real account can show. Keys: the vendor's OpenAPI 5.23, `user_account/get`, `boards/list`, `boards/list_pins`.
 */
export const checks: Checks = {
  errors,
  probes: [
    readProbe({
      name: 'account',
      settles: 'whether the account can be read',
      documented: keys(
        `id username account_type? profile_image? website_url? about? business_name? board_count? pin_count?
        follower_count? following_count? monthly_views?`,
      ),
      read: (look) => call(look, { method: 'GET', path: 'user_account', timeoutMs, parse: parseAccount }),
    }),
    readProbe({
      name: 'boards',
      settles: 'whether boards can be listed',
      documented: listed(
        `id name privacy? description? owner.* media.* is_ads_only? collaborator_count? created_at?
        board_pins_modified_at? follower_count? pin_count?`,
      ),
      read: (look) => readPage(look, { path: 'boards', size: 25, parse: parseBoard }),
      says: ({ entries }) => `${entries.length} boards could be read.`,
    }),
    readProbe({
      name: 'pins',
      settles: 'whether the pins of a board can be listed, by which a lost one is found',
      documented: listed(
        `id title? description? link? alt_text? created_at? board_id? board_section_id? board_owner.* parent_pin_id?
        media.* dominant_color? creative_type? is_owner? is_standard? is_removable? has_been_promoted? note?
        pin_metrics.* product_tags.* product_tags[].* ai_generated?`,
      ),
      read(look) {
        const board = id(look.account.defaults.boardId)
        return board === undefined
          ? BOARDLESS
          : readPage(look, { path: `boards/${board}/pins`, size: 5, parse: parsePin })
      },
      says: ({ entries }) => (entries.length === 0 ? 'The listing is empty.' : `${entries.length} pins could be read.`),
    }),
  ],
  fields: () => ({ title: 'A test' }),
  /** The vendor's OpenAPI 5.23, `pins/delete`. */
  remove: (look, providerId) =>
    call(look, { method: 'DELETE', path: `pins/${encodeURIComponent(providerId)}`, timeoutMs, parse: () => true }),
  byHand: 'Open the pin on pinterest.com, choose "Edit Pin" and then "Delete".',
}
