import type { CheckedStep, NetworkReport } from '#operations'

const ORDER = ['works as documented', 'differs', 'not tried'] as const

/** The report for people: a line for each step, below it what was asked and came, and a sum. */
export function reportText({ network, accountType, sandbox, settings, steps }: NetworkReport): string {
  const which = sandbox ? `${accountType}, in the sandbox` : accountType
  const asked = Object.entries(settings).map(([name, value]) => `${name} ${value}`)
  const counts = ORDER.map((result) => `${steps.filter((step) => step.result === result).length} ${result}`)
  return [
    [`${network} (${which})`, ...asked].join(', '),
    '',
    ...folded(steps).flatMap(stepLines),
    '',
    `${counts.join(', ')}. With --json the report is one line for a file; it has no tokens, ids or names.`,
  ].join('\n')
}

/** Steps that are not tried for one reason are one. */
function folded(steps: readonly CheckedStep[]): CheckedStep[] {
  const all: CheckedStep[] = []
  for (const step of steps) {
    const last = all.at(-1)
    const isSame = last?.result === 'not tried' && step.result === 'not tried' && last.detail === step.detail
    if (last && isSame && step.calls.length === 0) {
      all[all.length - 1] = { ...last, name: `${last.name}, ${step.name}`, settles: '' }
    } else all.push(step)
  }
  return all
}

function stepLines({ name, settles, result, detail, calls, missingKeys, unknownKeys }: CheckedStep): string[] {
  return [
    `${result.padEnd(19)}  ${name}${settles === '' ? '' : `: ${settles}`}`,
    ...(detail === null ? [] : [`    ${detail}`]),
    ...calls.flatMap(callLines),
    ...(missingKeys.length > 0 ? [`    Missing keys: ${missingKeys.join(', ')}`] : []),
    ...(unknownKeys.length > 0 ? [`    Keys that are not documented: ${unknownKeys.join(', ')}`] : []),
  ]
}

function callLines({ asked, status, error, message, shape }: CheckedStep['calls'][number]): string[] {
  const refusal = [error, message].filter((part) => part !== null).join(': ')
  // Amounts and words of the network; kinds of values are in the JSON alone.
  const values = Object.entries(shape).filter(([, value]) => /^(["\d]|true|false)/.test(value))
  return [
    `    ${asked} → ${status ?? 'no answer'}${refusal === '' ? '' : ` ${refusal}`}`,
    ...(refusal === '' && values.length > 0 ? [`      ${values.map((pair) => pair.join(' ')).join(', ')}`] : []),
  ]
}
