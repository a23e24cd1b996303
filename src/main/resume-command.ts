import type { Operator } from '../app.ts'
import { flag, operatorCommand, rows, text } from './operator-command.ts'

/** The command that answers a start that is held. */
export const resumeCommands = [
  operatorCommand(
    {
      name: 'resume',
      usage: '[--list] [--publish-late [--count N]] [--close-keys] [--close-links]',
      summary:
        'Resumes an Almanac whose start was held because it may be a copy: confirms that this is the only one. What was due meanwhile becomes drafts; --list only shows it; --publish-late publishes it after its number is confirmed. After a restore, --close-keys ends all API keys and --close-links all shared calendars and feeds and switches webhooks off, since those that were closed after the backup are open again.',
      options: { list: flag, 'publish-late': flag, count: text, 'close-keys': flag, 'close-links': flag },
    },
    async (operator, given) => {
      const due = await operator.operations.readDueWhileHeld(operator)
      const shown = dueText(due)
      if (given.flag('list')) return { data: due, text: shown }
      const publishes = given.flag('publish-late')
      const asked = given.optional('count')
      if (publishes && due.total > 0 && asked === null) {
        const data = { ...due, resumed: null }
        const again = `Nothing was resumed. Each of these may have gone out already, and would then be there twice. To publish them anyway: almanac resume --publish-late --count ${due.total}`
        return { data, text: `${shown}\n${again}`, exitCode: 1 }
      }
      const count = asked === null ? due.total : Number(asked)
      const input = publishes
        ? ({ late: 'PUBLISH', postSets: count } as const)
        : ({ late: 'PARK', postSets: null } as const)
      const close = { keys: given.flag('close-keys'), links: given.flag('close-links') }
      const resumed = await operator.operations.resumeStart(operator, input, operator.actor, close)
      return { data: { ...due, resumed }, text: `${shown}\n${outcome(resumed)}` }
    },
  ),
]

type Due = Awaited<ReturnType<Operator['operations']['readDueWhileHeld']>>
type Resumed = Awaited<ReturnType<Operator['operations']['resumeStart']>>

/** What a person decides about, and what a restore may have opened again, in lines. */
export function dueText(due: Due): string {
  return [dueSetsText(due), ...reopenedLines(due)].join('\n')
}

function reopenedLines({ reopened }: Due): string[] {
  if (reopened === null) return []
  const { takenAt, keys, members, links, webhooks } = reopened
  const list = (what: string, { count, newest }: { count: number; newest: string[] }) =>
    `  ${what}: ${count}${newest.length > 0 ? `, the newest: ${newest.join(', ')}` : ''}`
  return [
    `API keys, members, shared calendars and webhooks that were closed since ${takenAt.toISOString()} are open again. Open now:`,
    list('API keys', keys),
    list('Members', members),
    list('Shared calendars', links),
    list('Webhooks', webhooks),
    '--close-keys ends all API keys, --close-links all shared calendars and feeds, and switches webhooks off; members are removed in the dashboard.',
  ]
}

function dueSetsText({ total, sets, lastRanAt, since }: Due): string {
  const from =
    lastRanAt === null ? 'Before now' : `Between ${lastRanAt.toISOString()}, when the other one last ran, and now`
  if (total === 0) return `Held since ${since.toISOString()}. ${from} nothing was due.`
  const lines = sets.map((set) => ({
    ...set,
    scheduledAt: set.scheduledAt.toISOString(),
    state: set.begun ? 'on its way' : 'scheduled',
  }))
  const { text } = rows(lines, ['postSetId', 'scheduledAt', 'account', 'socialSet', 'state'])
  const more = total > sets.length ? [`${total - sets.length} more.`] : []
  const were = total === 1 ? '1 post set was' : `${total} post sets were`
  return [`Held since ${since.toISOString()}. ${from} ${were} due:`, text, ...more].join('\n')
}

function outcome({ publishing, parked, failed, closed }: Resumed): string {
  const label = `Post sets that are drafts now, with the label "May have gone out already": ${parked}.`
  return [
    'Almanac continues within a second.',
    ...(publishing > 0 ? [`Post sets that are published now: ${publishing}.`] : [label]),
    ...(failed > 0
      ? [`Posts that were on their way and failed, because they may have gone out already: ${failed}.`]
      : []),
    'Posts that a network had received are looked up.',
    ...(closed.keys > 0 ? [`API keys that were ended: ${closed.keys}.`] : []),
    ...(closed.links > 0 ? [`Shared calendars that were closed: ${closed.links}.`] : []),
    ...(closed.webhooks > 0 ? [`Webhooks that were switched off: ${closed.webhooks}.`] : []),
  ].join(' ')
}
