import Type from 'typebox'
import { accountTypes } from './account-types.ts'
import { closed, orNull } from './schema.ts'
import { REASONS } from './states.ts'

/** The kinds of failures that alerts report. */
export const ALERT_KINDS = ['POST_FAILED', 'POST_UNKNOWN', 'CONNECTION_DEAD'] as const
export type AlertKind = (typeof ALERT_KINDS)[number]

/** Body of the request to `ALMANAC_ALERT_URL`. Fields may be added; existing ones stay. */
export const Alert = closed({
  id: Type.String({
    description: 'Id of the alert, the same in every repetition. Also in the header `Almanac-Alert-Id`.',
  }),
  kind: Type.Enum([...ALERT_KINDS, 'TEST'] as const, {
    description:
      'POST_FAILED: the post was not published. POST_UNKNOWN: it may be live, the network never confirmed it. CONNECTION_DEAD: the account has to be reconnected. TEST: sent by `almanac alerts test`; ids and names are made up.',
  }),
  time: Type.String({ description: 'When it happened: UTC, with milliseconds.' }),
  account: closed({ id: Type.String(), name: Type.String() }, { description: 'The account of Almanac.' }),
  socialSet: closed(
    { id: Type.String(), name: Type.String() },
    { description: 'The social set: a brand in the dashboard.' },
  ),
  accountType: Type.Enum([...accountTypes], { description: 'The target of the post, or what was connected.' }),
  connection: orNull(
    closed(
      { id: Type.String(), name: Type.String() },
      { description: 'The connected account; null if the post had none.' },
    ),
  ),
  postSet: orNull(
    closed(
      { id: Type.String(), scheduledAt: Type.String() },
      { description: 'The post set; null for CONNECTION_DEAD.' },
    ),
  ),
  postId: orNull(Type.String({ description: 'The post of the set that this is about; null for CONNECTION_DEAD.' })),
  reason: Type.Enum([...REASONS], { description: 'As in the `result` of a post.' }),
  message: Type.String({ description: 'What happened and what to do, in words.' }),
  url: Type.String({ description: 'Link to the post set or the connections in the dashboard.' }),
})
export type Alert = Type.Static<typeof Alert>

/** Headers of the request, as a receiver reads them. */
export const ALERT_HEADERS = { id: 'almanac-alert-id', signature: 'almanac-signature' } as const
