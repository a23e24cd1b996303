import { parseArgs } from 'node:util'
import { WrongUse } from './io.ts'

const OPTIONS = {
  brand: { type: 'string' },
  to: { type: 'string' },
  at: { type: 'string' },
  media: { type: 'string', multiple: true },
  alt: { type: 'string', multiple: true },
  title: { type: 'string' },
  website: { type: 'string' },
  privacy: { type: 'string' },
  type: { type: 'string' },
  draft: { type: 'boolean' },
  ask: { type: 'boolean' },
  wait: { type: 'boolean' },
  update: { type: 'boolean' },
  status: { type: 'string' },
  from: { type: 'string' },
  days: { type: 'string' },
  after: { type: 'string' },
  types: { type: 'string' },
  url: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean' },
} as const

type Name = keyof typeof OPTIONS
type Values = ReturnType<typeof parseArgs<{ options: typeof OPTIONS; allowPositionals: true }>>['values']

export interface Given {
  options: Values
  words: string[]
}

/**
 * What was typed behind the name of the command.
 *
 * @throws WrongUse for an option that there is not
 */
export function readOptions(args: readonly string[]): Given {
  try {
    const { values, positionals } = parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true })
    return { options: values, words: positionals }
  } catch (error) {
    throw new WrongUse((error as Error).message.replace(/\. To specify a positional argument.*/s, '.'))
  }
}

/** @throws WrongUse for an option of another command */
export function allowOptions({ options }: Given, command: string, names: readonly Name[]): void {
  const other = Object.keys(options).find((name) => ![...names, 'json', 'help'].includes(name as Name))
  if (other !== undefined) throw new WrongUse(`\`almanac-post ${command}\` takes no --${other}.`)
}

/** @throws WrongUse when it is no whole number from `min` on */
export function wholeNumber(name: Name, text: string | undefined, min = 0): number | undefined {
  if (text === undefined) return undefined
  const number = Number(text)
  if (/^\d+$/.test(text) && Number.isSafeInteger(number) && number >= min) return number
  throw new WrongUse(`--${name} takes a whole number from ${min} on.`)
}
