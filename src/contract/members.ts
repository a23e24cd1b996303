import Type from 'typebox'
import * as LIMITS from './limits.ts'
import { RIGHT_NAMES, ROLES } from './rights.ts'
import { closed, orNull } from './schema.ts'
import { SharedCalendarAllows, SharedCalendarShows } from './shared-calendars.ts'

const RoleName = Type.Enum([...ROLES])
const SocialSetIds = orNull(Type.Array(Type.String()))

/** A member of the account, as other members see it. */
export const TeamMember = closed({
  userId: Type.String(),
  name: Type.String(),
  role: RoleName,
  isYou: Type.Boolean(),
  joinedAt: Type.String(),
  /** Null for all; of others, those that the reader sees too. */
  socialSetIds: SocialSetIds,
  /** This and the two below are null where the reader may not know them. */
  email: orNull(Type.String()),
  /** Null also for a member who has no session. */
  lastActiveAt: orNull(Type.String()),
  twoFactorEnabled: orNull(Type.Boolean()),
  /** The address that the member asked for and the reader may confirm or refuse; null for none. */
  pendingEmail: orNull(Type.String()),
  /**
   * The last time that someone else removed the member's second step: null for never, and for all readers but owners and the member.
   * `by`: name of the owner who did; null: the operator of the installation.
   */
  secondStepRemoved: orNull(closed({ at: Type.String(), by: orNull(Type.String()) })),
})
export type TeamMember = Type.Static<typeof TeamMember>

/** An invitation that was neither accepted nor revoked. */
export const Invitation = closed({
  id: Type.String(),
  email: Type.String(),
  role: RoleName,
  socialSetIds: SocialSetIds,
  /** Name of the person. */
  invitedBy: Type.String(),
  createdAt: Type.String(),
  expiresAt: Type.String(),
  expired: Type.Boolean(),
})
export type Invitation = Type.Static<typeof Invitation>

/** `GET /internal/members`. Invitations are empty for those who may not see them. */
export const Team = closed({ members: Type.Array(TeamMember), invitations: Type.Array(Invitation) })
export type Team = Type.Static<typeof Team>

const MEMBER_LINK_KINDS = ['SHARED_CALENDAR', 'CALENDAR_FEED', 'WEBHOOK'] as const
export type MemberLinkKind = (typeof MEMBER_LINK_KINDS)[number]

/** An address known to a member that opens something to everyone who has it; or a webhook that the member created. */
export const MemberLink = closed({
  kind: Type.Enum([...MEMBER_LINK_KINDS]),
  id: Type.String({ description: 'Of the shared calendar or webhook; of a calendar address, that of its brand.' }),
  name: Type.String({ description: 'Of a webhook: its address.' }),
  socialSetIds: Type.Array(Type.String(), {
    description: 'The brands that it opens, or of which a webhook sends: none, all.',
  }),
  shows: orNull(SharedCalendarShows),
  allows: orNull(SharedCalendarAllows),
  hasFeed: Type.Boolean({ description: 'Calendar programs read the shared calendar by an address of its own.' }),
  made: Type.Boolean({
    description: 'The address that it has now was shown to the member, who created or renewed it.',
  }),
})
export type MemberLink = Type.Static<typeof MemberLink>

/** `GET /internal/members/{id}/links` */
export const MemberLinks = closed({ data: Type.Array(MemberLink) })
export type MemberLinks = Type.Static<typeof MemberLinks>

/** The member's access after the change. Without a role: no longer a member. */
export const MemberLinksQuery = Type.Object({
  role: Type.Optional(RoleName),
  socialSetIds: Type.Optional(Type.String({ description: 'With commas; absent: all.' })),
})
export type MemberLinksQuery = Type.Static<typeof MemberLinksQuery>

/** Whether an address is replaced or closed. A webhook is closed. */
export const MemberLinkEnd = closed({
  kind: Type.Enum([...MEMBER_LINK_KINDS]),
  id: Type.String(),
  how: Type.Enum(['RENEW', 'CLOSE'] as const),
})
export type MemberLinkEnd = Type.Static<typeof MemberLinkEnd>

const links = Type.Optional(
  Type.Array(MemberLinkEnd, {
    maxItems: 2_000,
    description: 'Addresses that the member knows and would not see any more; those that are left out stay.',
  }),
)

/** A replacement address. It is shown only once. */
export const NewAddress = closed({
  kind: Type.Enum([...MEMBER_LINK_KINDS]),
  id: Type.String(),
  name: Type.String(),
  address: Type.String(),
})
export type NewAddress = Type.Static<typeof NewAddress>

export const MemberUpdateBody = closed({
  role: Type.Optional(RoleName),
  socialSetIds: Type.Optional(SocialSetIds),
  links,
})
export type MemberUpdateBody = Type.Static<typeof MemberUpdateBody>

/** `PATCH /internal/members/{id}` */
export const MemberUpdated = closed({ ...TeamMember.properties, newAddresses: Type.Array(NewAddress) })
export type MemberUpdated = Type.Static<typeof MemberUpdated>

/** `DELETE /internal/members/{id}` */
export const MemberRemoved = closed({ newAddresses: Type.Array(NewAddress) })
export type MemberRemoved = Type.Static<typeof MemberRemoved>

/**
 * `password`: of the member who removes. `revokeApiKeys`: revoke the API keys that the removed member created; by
 * default they stay.
 */
export const MemberRemovalBody = closed({
  password: Type.String({ maxLength: LIMITS.password.max }),
  revokeApiKeys: Type.Optional(Type.Boolean()),
  links,
})
export type MemberRemovalBody = Type.Static<typeof MemberRemovalBody>

/** The decision about a new address, which must be the one that the owner saw. */
export const EmailDecisionBody = closed({ email: Type.String({ maxLength: LIMITS.emailCharacters }) })
export type EmailDecisionBody = Type.Static<typeof EmailDecisionBody>

export const InvitationBody = closed({
  email: Type.String({ maxLength: LIMITS.emailCharacters }),
  role: RoleName,
  socialSetIds: SocialSetIds,
})
export type InvitationBody = Type.Static<typeof InvitationBody>

/** The link is shown only once. `mailed`: it is also being sent to the address. */
export const MadeInvitation = closed({ invitation: Invitation, link: Type.String(), mailed: Type.Boolean() })
export type MadeInvitation = Type.Static<typeof MadeInvitation>

export const InvitationTokenBody = closed({ token: Type.String({ maxLength: 200 }) })
export type InvitationTokenBody = Type.Static<typeof InvitationTokenBody>

/** What an invitation link shows to the person who opens it. */
export const InvitationOffer = closed({
  accountName: Type.String(),
  email: Type.String(),
  role: RoleName,
  roleTitle: Type.String(),
  roleDescription: Type.String(),
  invitedBy: Type.String(),
  expiresAt: Type.String(),
  /** Whether there is a user of that address, who then proves to be it instead of choosing a name and a password. */
  userExists: Type.Boolean(),
  /** Address of the person who is signed in in this browser; null when no one is. */
  signedInAs: orNull(Type.String()),
})
export type InvitationOffer = Type.Static<typeof InvitationOffer>

export const InvitationAcceptBody = closed({
  token: Type.String({ maxLength: 200 }),
  name: Type.Optional(Type.String({ maxLength: LIMITS.nameCodePoints })),
  password: Type.Optional(Type.String({ maxLength: LIMITS.password.max })),
})
export type InvitationAcceptBody = Type.Static<typeof InvitationAcceptBody>

/** `sign-in`: the membership exists, but signing in requires a code besides the password. */
export const InvitationAccepted = closed({
  accountId: Type.String(),
  accountName: Type.String(),
  next: Type.Enum(['signed-in', 'sign-in'] as const),
})
export type InvitationAccepted = Type.Static<typeof InvitationAccepted>

/** `GET /internal/roles`: a table of what each role may do, in words. */
export const RolesTable = closed({
  roles: Type.Array(closed({ role: RoleName, title: Type.String(), description: Type.String() })),
  rights: Type.Array(closed({ right: Type.Enum([...RIGHT_NAMES]), title: Type.String(), roles: Type.Array(RoleName) })),
})
export type RolesTable = Type.Static<typeof RolesTable>
