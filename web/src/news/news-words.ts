import { plural, t } from '@lingui/core/macro'
import type { NewsItem } from '#contract'
import { networkName } from '../design/network-icon.tsx'
import { formatDate, type TimePreferences } from '../time/zones.ts'

interface Reader {
  zone: string
  preferences: TimePreferences
}

/** What happened, in one sentence without the brand: "Ada asks for your approval of 3 posts". */
export function newsTitle(item: NewsItem, reader: Reader): string {
  const { kind, count } = item
  const actor = actorOf(item)
  switch (kind) {
    case 'POST_FAILED':
      return plural(count, { one: 'A post was not published', other: '# posts were not published' })
    case 'POST_UNKNOWN':
      return plural(count, { one: 'A post may not be published', other: '# posts may not be published' })
    case 'POST_INCOMPLETE':
      return plural(count, { one: 'A post is live, but not all of it', other: '# posts are live, but not all of them' })
    case 'CONNECTION_DEAD':
    case 'CONNECTION_ENDING':
      return connectionTitle(item, reader)
    case 'REVIEW_REQUESTED':
      return plural(count, {
        one: `${actor} asks for your approval`,
        other: `${actor} asks for your approval of # posts`,
      })
    case 'APPROVED':
      if (item.takenBack) {
        return plural(count, {
          one: `${actor} undid the approval of a post`,
          other: `${actor} undid the approval of # posts`,
        })
      }
      return plural(count, { one: `${actor} approved a post`, other: `${actor} approved # posts` })
    case 'CHANGES_REQUESTED':
      return plural(count, {
        one: `${actor} requests changes to a post`,
        other: `${actor} requests changes to # posts`,
      })
    case 'COMMENTED':
      return commentTitle(item, actor)
    case 'REVIEW_REMINDER':
      return reminderTitle(item)
    case 'STILL_WAITING':
      return plural(count, {
        one: 'A scheduled post is not approved yet',
        other: '# scheduled posts are not approved yet',
      })
    case 'IN_INBOX':
    case 'INBOX_ENDED':
      return inboxTitle(item)
    case 'CALENDAR_FAILING': {
      const name = item.calendar?.name
      return name ? t`The calendar “${name}” cannot be read` : t`A calendar cannot be read`
    }
    case 'WEBHOOK_FAILING': {
      const host = item.webhook?.host
      return host ? t`The webhook to ${host} was closed` : t`A webhook was closed`
    }
    case 'KEY_ENDING':
      return keyTitle(item, reader)
    case 'WEBHOOK_LOOP':
      return t`Programs keep changing a post`
    case 'PLAN_USED':
      return planTitle(item)
  }
}

function actorOf({ actor }: NewsItem): string {
  if (!actor) return t`Someone`
  return actor.name === 'operator' ? t`The operator` : actor.name
}

function connectionTitle({ connection, accountType, count, endsAt }: NewsItem, { zone, preferences }: Reader): string {
  const day = endsAt === null ? null : formatDate(endsAt, zone, preferences)
  if (!connection || count > 1) {
    return plural(count, { one: 'An account must be reconnected', other: '# accounts must be reconnected' })
  }
  const account = accountType ? `${connection.name} (${networkName(accountType)})` : connection.name
  return day ? t`Reconnect ${account} before ${day}` : t`Reconnect ${account}`
}

function keyTitle({ key, count, endsAt }: NewsItem, { zone, preferences }: Reader): string {
  if (!key || count > 1 || endsAt === null) {
    return plural(count, {
      one: 'An API key ends soon, and its webhooks with it',
      other: '# API keys end soon, and their webhooks with them',
    })
  }
  const name = key.name
  const day = formatDate(endsAt, zone, preferences)
  return t`The API key “${name}” ends on ${day}, and its webhooks with it`
}

function commentTitle({ cause, count, note }: NewsItem, actor: string): string {
  if (note !== null) {
    return plural(count, { one: `${actor} added a note`, other: `# notes, the last one of ${actor}` })
  }
  if (cause === 'MENTIONED') {
    return plural(count, {
      one: `${actor} mentioned you in a comment`,
      other: `# comments mention you, the last one of ${actor}`,
    })
  }
  return plural(count, { one: `${actor} commented`, other: `# comments, the last one of ${actor}` })
}

function inboxTitle({ kind, count, accountType }: NewsItem): string {
  const network = accountType ? networkName(accountType) : ''
  if (kind === 'INBOX_ENDED') {
    return plural(count, {
      one: `A post was not finished in ${network}`,
      other: `# posts were not finished in ${network}`,
    })
  }
  return plural(count, {
    one: `A post waits in the ${network} inbox for a person to finish it`,
    other: `# posts wait in the ${network} inbox for a person to finish them`,
  })
}

function reminderTitle({ count, hours }: NewsItem): string {
  if (count > 1 || hours === null) {
    return plural(count, {
      one: 'A post still waits for your approval',
      other: '# posts still wait for your approval',
    })
  }
  return plural(hours, {
    one: 'A post still waits for your approval, # hour before its time',
    other: 'A post still waits for your approval, # hours before its time',
  })
}

function planTitle({ plan }: NewsItem): string {
  if (!plan) return t`The plan is nearly used up`
  const { percent } = plan
  const titles = {
    POSTS: t`${percent}% of the posts of this month are used`,
    UPLOADS: t`${percent}% of the uploads of this month are used`,
    STORAGE: t`${percent}% of the storage is used`,
  }
  return titles[plan.resource]
}
