import { operatorCommand, rows, text } from './operator-command.ts'

/** The commands that stop publishing and let it go on. */
export const holdCommands = [
  operatorCommand(
    {
      name: 'hold',
      positionals: ['account, social set or connection'],
      usage: 'ID --reason TEXT',
      summary:
        'Stops publishing for an account, a social set or a connection, and says how many posts a network has already received.',
      options: { reason: text },
    },
    async (operator, given) => {
      const input = { id: given.positional('account, social set or connection'), reason: given.required('reason') }
      const placed = await operator.operations.holdByOperator(operator, input, operator.actor)
      return { data: placed, text: `Publishing is stopped for ${placed.hold.name}. ${withNetworks(placed)}` }
    },
  ),
  operatorCommand(
    {
      name: 'release',
      positionals: ['account, social set or connection'],
      usage: 'ID --late publish|park [--count N]',
      summary:
        'Resumes publishing. Late posts are published now, or become drafts; --count confirms how many of them may have gone out already.',
      options: { late: text, count: text },
    },
    async (operator, given) => {
      const id = given.positional('account, social set or connection')
      const input = { id, late: given.required('late'), count: Number(given.optional('count') ?? 0) }
      const released = await operator.operations.releaseByOperator(operator, input, operator.actor)
      const { publishing, parked, failed } = released
      const reported = [
        `Late post sets that are published now: ${publishing}.`,
        `Post sets that are drafts now: ${parked}.`,
        ...(failed > 0 ? [`Posts that failed because the rest of their set was sent: ${failed}.`] : []),
      ]
      return { data: released, text: `Publishing is resumed. ${reported.join(' ')}` }
    },
  ),
  operatorCommand(
    {
      name: 'holds',
      usage: '[--account ID]',
      summary: 'Lists what is held, since when, by whom and why.',
      options: { account: text },
    },
    async (operator, given) => {
      const holds = await operator.operations.listHoldsForOperator(operator, given.optional('account'))
      const lines = holds.map((hold) => ({ ...hold, id: hold.connectionId ?? hold.socialSetId ?? hold.accountId }))
      return { data: holds, text: rows(lines, ['id', 'scope', 'name', 'since', 'by', 'reason']).text }
    },
  ),
]

function withNetworks({ withNetworks }: { withNetworks: number }): string {
  if (withNetworks === 0) return 'No post is with a network.'
  const posts = withNetworks === 1 ? '1 post is' : `${withNetworks} posts are`
  return `${posts} already with a network: their outcome is determined as usual.`
}
