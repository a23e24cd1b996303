import { fields, flag, operatorCommand, rows, text } from './operator-command.ts'

/** The commands for posts that are on their way, and stuck. */
export const deliveryCommands = [
  operatorCommand(
    {
      name: 'deliveries list',
      usage: '[--account ID] [--state STATE] [--limit N]',
      summary: 'Lists posts that are being sent, oldest first: state, place in the lane, age, attempts, last message.',
      options: { account: text, state: text, limit: text },
    },
    async (operator, given) => {
      const listed = await operator.operations.listDeliveriesForOperator(operator, {
        accountId: given.optional('account'),
        state: given.optional('state'),
        limit: given.optional('limit'),
      })
      const lines = listed.deliveries.map(({ ageSeconds, worker, held, pausedUntil, ...delivery }) => ({
        ...delivery,
        age: ageInWords(ageSeconds),
        attempts: `${delivery.attempts} tried`,
        now: worker
          ? 'a worker has it'
          : held
            ? 'publishing is stopped'
            : pausedUntil
              ? 'the network asks to wait'
              : '-',
      }))
      const shown = ['id', 'account', 'accountType', 'state', 'place', 'lane', 'age', 'attempts', 'now', 'message']
      const rest = listed.total - lines.length
      const { text } = rows(lines, shown)
      return { data: listed, text: rest > 0 ? `${text}\n${rest} more.` : text }
    },
  ),
  operatorCommand(
    {
      name: 'deliveries show',
      positionals: ['delivery'],
      usage: 'DELIVERY',
      summary: 'Shows the progress of sending one post, and its result once it is done.',
    },
    async (operator, given) => {
      const shown = await operator.operations.showDelivery(operator, given.positional('delivery'))
      const inWords = Object.entries(shown).map(([name, value]) => [name, asText(value)])
      return { data: shown, text: fields(Object.fromEntries(inWords)).text }
    },
  ),
  operatorCommand(
    {
      name: 'deliveries retry',
      positionals: ['delivery'],
      usage: 'DELIVERY',
      summary:
        'Retries a post now: one that would wait for a later time, or one that failed and is certainly not live.',
    },
    async (operator, given) => {
      const { id, state } = await operator.operations.retryDelivery(
        operator,
        given.positional('delivery'),
        operator.actor,
      )
      return {
        data: { id, state },
        text: 'It is due now: a worker takes it up within a second, when its lane has room.',
      }
    },
  ),
  operatorCommand(
    {
      name: 'deliveries end',
      positionals: ['delivery'],
      usage: 'DELIVERY --reason TEXT [--may-be-live]',
      summary: 'Ends a stuck post as failed; with --may-be-live even one that a network may have received.',
      options: { reason: text, 'may-be-live': flag },
    },
    async (operator, given) => {
      const input = {
        id: given.positional('delivery'),
        reason: given.required('reason'),
        mayBeLive: given.flag('may-be-live'),
      }
      const ended = await operator.operations.endDelivery(operator, input, operator.actor)
      const { status, message } = ended.result
      return {
        data: ended,
        text: status === 'POSTED' ? 'It ended as posted, with a warning.' : `It failed: ${message}`,
      }
    },
  ),
]

function ageInWords(seconds: number): string {
  const minutes = Math.max(0, Math.floor(seconds / 60))
  if (minutes < 1) return `${Math.max(0, Math.floor(seconds))} s`
  if (minutes < 60) return `${minutes} min`
  const hours = Math.floor(minutes / 60)
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} d`
}

function asText(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString()
  if (Array.isArray(value) && value.every((part) => typeof part === 'string')) return value.join(', ') || null
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value
}
