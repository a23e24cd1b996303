import { setupCodeOf } from '#domain'
import { createRateLimiter, createServer, type ServerDeps } from '#http'
import { openFeedProcesses } from '#icalendar'
import {
  authenticateMember,
  createAuthorizationBox,
  createCredentialBox,
  createEventWaits,
  createKeyCheck,
  createLiveFeed,
  finishAuthorization,
  readSharedComments,
  sharedFeedScope,
  writeSharedComment,
} from '#operations'
import { listenForChanges, listenForEvents } from '#persistence'

/** What is made of the other parts, where it is not given. */
type Made =
  | ('keys' | 'rate' | 'authenticateMember' | 'finishAuthorization' | 'credentials' | 'authorizations' | 'live')
  | ('eventWaits' | 'unsubscribeKeys' | 'setupCodes' | 'sharedFeedScope' | 'feedWriter' | 'thread' | 'now')

type ServerParts = Omit<ServerDeps, Made> &
  Partial<Pick<ServerDeps, Made>> & {
    /** Where notifications of the database are heard; null: they are not. */
    directUrl: string | null
  }

/** The server of an installation with all that its operations work with, in production and in tests. It does not listen yet. */
export function composeServer({ directUrl, ...parts }: ServerParts): ReturnType<typeof createServer> {
  const { db, box, log } = parts
  const deps: ServerDeps = {
    keys: createKeyCheck(parts),
    rate: createRateLimiter(parts),
    authenticateMember: (headers, setCookie) => authenticateMember(parts, headers, setCookie),
    finishAuthorization: (returned) => finishAuthorization(deps, returned),
    credentials: createCredentialBox(box),
    authorizations: createAuthorizationBox(box),
    live: createLiveFeed({ db, log, listen: (handlers) => listenForChanges(directUrl, handlers) }),
    eventWaits: createEventWaits({ log, listen: (handlers) => listenForEvents(directUrl, handlers) }),
    unsubscribeKeys: box.derive('unsubscribe'),
    setupCodes: box.derive('first-run').map(setupCodeOf),
    sharedFeedScope,
    feedWriter: openFeedProcesses(),
    thread: { read: readSharedComments, write: writeSharedComment },
    now: () => new Date(),
    ...parts,
  }
  return createServer(deps)
}
