import { type Checks, readProbe } from '../kit/checks.ts'
import { askChannels, askUploads } from './api.ts'
import { errors, parseError } from './outcomes.ts'

const LIST_KEYS = ['kind', 'etag?', 'pageInfo.*', 'nextPageToken?', 'prevPageToken?']
const ITEM_KEYS = ['kind', 'etag?', 'id', 'snippet.*', 'contentDetails.*'].map((key) => `items[].${key}`)

/** What only a real channel shows. Each read costs one of the 10,000 units of a day. */
export const checks: Checks = {
  errors,
  probes: [
    readProbe({
      name: 'channel',
      settles: 'whether the channel can be read, and whether it may have videos of more than 15 minutes',
      documented: [...LIST_KEYS, ...ITEM_KEYS, 'items[].status.*'],
      read: (look) => askChannels(look, { part: 'id,snippet,contentDetails,status', mine: 'true' }),
      says: ({ entries: [channel] }) => `Long uploads: ${channel?.longUploads ?? 'not named'}.`,
      differs({ entries }, { account }) {
        const own = entries.find(({ id }) => id === account.externalId)
        if (!own) return 'The sign-in does not show the channel that is connected.'
        return own.uploads === null ? 'The playlist of the uploads is not named.' : null
      },
    }),
    readProbe({
      name: 'uploads',
      settles: 'whether the uploads can be listed, by which a lost video is found',
      documented: [...LIST_KEYS, ...ITEM_KEYS],
      // The playlist of everything that a channel has uploaded is called like the channel, but for its first letters.
      read(look) {
        const playlistId = look.account.externalId.replace(/^UC/, 'UU')
        return askUploads(look, { part: 'snippet,contentDetails', playlistId, maxResults: '5' })
      },
      says: ({ entries }) =>
        entries.length === 0 ? 'The listing is empty.' : `${entries.length} videos could be read.`,
      refused: (answer) =>
        parseError(answer).reason === 'playlistNotFound'
          ? { result: 'works as documented', detail: 'There is no playlist before the first upload.' }
          : null,
    }),
  ],
  // Deleting takes a wider scope than uploading.
  fields: () => ({ title: 'A test', privacy: 'PRIVATE' }),
  byHand:
    'Open studio.youtube.com, find the video under "Content" and choose "Delete forever". Only the channel itself sees it.',
}
